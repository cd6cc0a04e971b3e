package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"runtime"
	"runtime/debug"
	"strings"

	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/backend/ollama"
	"verge/runner/engine"
	"verge/runner/event"
)

// provenance is where a run's numbers come from. Where a server is among it, the run is seeded and not deterministic.
func (m models) provenance(run string, p *profiles.Profile) event.Provenance {
	from := event.Provenance{Version: Version(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: engine.Kernels(), Deterministic: true}
	add := func(role string, bound backend.Model) {
		if bound == nil {
			return
		}
		e := identity(role, bound)
		if h, ok := m.hosting[role]; ok {
			e.Served = h.served(run, role)
		}
		from.Models = append(from.Models, e)
		from.Deterministic = from.Deterministic && e.Served == nil
	}
	add("generator", m.generator)
	add("solver", m.solver)
	for i, o := range m.oracles {
		role := "judge"
		if len(p.Roles.Oracles) > 0 {
			role = profiles.OracleRole(i)
		}
		add(role, o.Model)
	}
	if m.reference != nil {
		add("reference", m.reference)
	}
	add("transfer", m.transfer)
	return from
}

func identity(role string, m backend.Model) event.Model {
	id := m.Identity()
	e := event.Model{Role: role, Backend: id.Backend, Name: id.Name, Digest: id.Digest}
	if s, ok := m.(interface{ Use() ollama.Use }); ok {
		u := s.Use()
		template := sha256.Sum256([]byte(u.Template))
		e.Served = &event.Served{
			Server: u.Server, Context: u.NumCtx, Threads: u.Threads, Think: u.Think != ollama.ThinkOff, Size: u.Size, Quantization: u.Quantization,
			Template: hex.EncodeToString(template[:]), Parameters: u.ModelParameters,
		}
		if e.Served.Think && u.Think != ollama.ThinkOn {
			e.Served.ThinkLevel = string(u.Think)
		}
	}
	return e
}

// Version is the version of this binary: the module's, with the revision it was built from where that is known.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	version := strings.Trim(info.Main.Version, "()")
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 && !strings.Contains(version, s.Value[:12]) {
			version += " " + s.Value[:12]
		}
	}
	return version
}
