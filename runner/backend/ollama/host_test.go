package ollama

import "testing"

func TestParseHost(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "http://127.0.0.1:11434",
		"  'gpu' ":                    "http://gpu:11434",
		"gpu":                         "http://gpu:11434",
		"gpu:80":                      "http://gpu:80",
		"10.0.0.7":                    "http://10.0.0.7:11434",
		":8080":                       "http://127.0.0.1:8080",
		"0.0.0.0":                     "http://127.0.0.1:11434",
		"0.0.0.0:8080":                "http://127.0.0.1:8080",
		"[::]:8080":                   "http://[::1]:8080",
		"::":                          "http://[::1]:11434",
		"::1":                         "http://[::1]:11434",
		"[::1]":                       "http://[::1]:11434",
		"[fe80::1]:99":                "http://[fe80::1]:99",
		"http://gpu":                  "http://gpu:80",
		"https://gpu":                 "https://gpu:443",
		"https://gpu:8443/":           "https://gpu:8443",
		"https://example.org/ollama/": "https://example.org:443/ollama",
		"http://example.org:81/a/b":   "http://example.org:81/a/b",
		"gpu/ollama":                  "http://gpu:11434/ollama",
	} {
		u, err := ParseHost(in)
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if u.String() != want {
			t.Errorf("%q is read as %s, want %s", in, u, want)
		}
	}
	for _, in := range []string{"ftp://gpu", "gpu:port", "gpu:0", "gpu:65536", "gpu:-1", "http://user@gpu", "a b", "a:b:c", "gpu:"} {
		if u, err := ParseHost(in); err == nil {
			t.Errorf("%q is read as %s, want an error", in, u)
		}
	}
}

func TestHostOfTheEnvironment(t *testing.T) {
	t.Setenv("OLLAMA_HOST", "gpu:99")
	c, err := New(Options{})
	if err != nil || c.URL().String() != "http://gpu:99" {
		t.Errorf("%v, error %v", c.URL(), err)
	}
	if c, err = New(Options{Host: "near"}); err != nil || c.URL().String() != "http://near:11434" {
		t.Errorf("a host that is named gives way to the environment's: %v, error %v", c.URL(), err)
	}
	t.Setenv("OLLAMA_HOST", "gpu:port")
	if _, err := New(Options{}); err == nil {
		t.Error("a wrong OLLAMA_HOST is taken")
	}
}

// The calls' addresses keep the path that the server stands behind.
func TestPathOfTheHostIsKept(t *testing.T) {
	c, err := New(Options{Host: "https://example.org/ollama"})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.url.JoinPath("/api/chat").String(); got != "https://example.org:443/ollama/api/chat" {
		t.Error(got)
	}
}
