package ollama

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// DefaultHost is where a server listens when nothing else is said.
const DefaultHost = "127.0.0.1:11434"

// ParseHost reads an address as the variable OLLAMA_HOST is written: a host, host:port, or a URL with or without a path.
//
// Without a port it is 80 after http://, 443 after https:// and 11434 otherwise. An address to listen on at any interface (0.0.0.0,
// [::], or no host) is no address to connect to: it becomes the loopback address of its family.
func ParseHost(s string) (*url.URL, error) {
	text := strings.Trim(strings.TrimSpace(s), `"'`)
	if text == "" {
		text = DefaultHost
	}
	bad := func(format string, args ...any) error {
		return fmt.Errorf("the Ollama host %q: %s; write HOST, HOST:PORT or http://HOST:PORT/PATH", s, fmt.Sprintf(format, args...))
	}
	scheme, rest, ok := strings.Cut(text, "://")
	port := "11434"
	switch {
	case !ok:
		scheme, rest = "http", text
	case scheme == "http":
		port = "80"
	case scheme == "https":
		port = "443"
	default:
		return nil, bad("scheme %q is neither http nor https", scheme)
	}
	rest, path, _ := strings.Cut(rest, "/")
	host := strings.Trim(rest, "[]")
	if net.ParseIP(host) == nil { // an IPv6 address without brackets is full of colons
		if h, p, err := net.SplitHostPort(rest); err == nil {
			host, port = h, p
		} else if strings.ContainsAny(rest, ":") {
			return nil, bad("%v", err)
		}
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return nil, bad("port %q is not between 1 and 65535", port)
	}
	if strings.ContainsAny(host, "@?# ") {
		return nil, bad("%q is no host name", host)
	}
	switch ip := net.ParseIP(host); {
	case host == "" || ip.Equal(net.IPv4zero):
		host = "127.0.0.1"
	case ip.Equal(net.IPv6zero):
		host = "::1"
	}
	u := &url.URL{Scheme: scheme, Host: net.JoinHostPort(host, port)}
	if path = strings.Trim(path, "/"); path != "" {
		u.Path = "/" + path
	}
	return u, nil
}
