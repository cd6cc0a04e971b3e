// Package push makes models on an Ollama server: a base from a GGUF file or from a tag that is there, with an adapter trained on it.
package push

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"
)

// What a wrong request leads to; the errors of this package wrap these.
var (
	ErrUnreachable = errors.New("no Ollama server answers")
	ErrTag         = errors.New("the tag cannot be used")
)

// Server is an Ollama server to make models on.
type Server struct {
	url    *url.URL
	http   *http.Client
	client *api.Client
}

// New reaches a server by its URL. Nothing is sent.
func New(server *url.URL, client *http.Client) *Server {
	return &Server{server, client, api.NewClient(server, client)}
}

// contents is what a model on the server is made of. Digests are sha256 in hexadecimal.
type contents struct {
	model    string
	adapters []string
}

// blob finds a blob's digest in a line of a Modelfile, where it is the last element of a path on the server's disk.
var blob = regexp.MustCompile(`^(FROM|ADAPTER) .*\bsha256-([0-9a-f]{64})"?$`)

// contents reads what a tag is made of; found is false where the server has no such tag.
func (s *Server) contents(ctx context.Context, tag string) (c contents, found bool, err error) {
	shown, err := s.client.Show(ctx, &api.ShowRequest{Model: tag})
	var status api.StatusError
	if errors.As(err, &status) && status.StatusCode == http.StatusNotFound {
		return contents{}, false, nil
	}
	if err != nil {
		return contents{}, false, s.explain("asking about model "+tag, err)
	}
	for line := range strings.Lines(shown.Modelfile) {
		m := blob.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		switch {
		case m == nil:
		case m[1] == "ADAPTER":
			c.adapters = append(c.adapters, m[2])
		case c.model == "": // a second FROM is a projector of images
			c.model = m[2]
		}
	}
	return c, true, nil
}

// upload sends the files that the server lacks, and says how many those were.
func (s *Server) upload(ctx context.Context, files []Base) (sent int, err error) {
	for _, file := range files {
		if has, err := s.has(ctx, file.Digest); err != nil {
			return sent, err
		} else if has {
			continue
		}
		if err := s.send(ctx, file); err != nil {
			return sent, err
		}
		sent++
	}
	return sent, nil
}

func (s *Server) send(ctx context.Context, file Base) error {
	f, err := file.open()
	if err != nil {
		return err
	}
	defer f.Close()
	if err := s.client.CreateBlob(ctx, "sha256:"+file.Digest, f); err != nil {
		return s.explain("sending a file", err)
	}
	return nil
}

// has asks whether the server has a file: it would accept one again, but a base can be gigabytes.
func (s *Server) has(ctx context.Context, digest string) (bool, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, s.url.JoinPath(path.Join("api/blobs", "sha256:"+digest)).String(), nil)
	if err != nil {
		return false, err
	}
	response, err := s.http.Do(request)
	if err != nil {
		return false, s.explain("asking for a file", err)
	}
	response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK:
		return true, nil
	case http.StatusNotFound:
		return false, nil
	}
	return false, fmt.Errorf("%s answers %s when asked for a file; is it an Ollama server?", s.url, response.Status)
}

// explain says what failed, and what to do where no server answers.
func (s *Server) explain(doing string, err error) error {
	var network *net.OpError
	if errors.As(err, &network) && network.Op == "dial" {
		return fmt.Errorf("%w at %s (%w); start one with: ollama serve, or name another with --host", ErrUnreachable, s.url, network)
	}
	return fmt.Errorf("%s: %s: %w", s.url, doing, err)
}

// checkTag refuses what is no name of a model.
func checkTag(tag string) error {
	if !model.ParseName(tag).IsValid() {
		return fmt.Errorf("%w: %q is no name of a model; one looks like my-generator or my-generator:v2", ErrTag, tag)
	}
	return nil
}
