package push

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/ollama/ollama/api"
)

// None is no adapter.
var None Base

// Put makes a model of the server from a base and an adapter, or None, under a tag. What the tag named before is replaced, whatever it was.
func (s *Server) Put(ctx context.Context, tag string, base, adapter Base) error {
	if err := checkTag(tag); err != nil {
		return err
	}
	request := &api.CreateRequest{Model: tag}
	var files []Base
	if adapter.Digest != "" {
		request.Adapters = map[string]string{"adapter.gguf": "sha256:" + adapter.Digest}
		files = append(files, adapter)
	}
	if base.tag != "" {
		if err := s.unchanged(ctx, base); err != nil {
			return err
		}
		request.From = base.tag
	} else {
		request.Files = map[string]string{"model.gguf": "sha256:" + base.Digest}
		files = append(files, base)
	}
	if _, err := s.upload(ctx, files); err != nil {
		return err
	}
	create := func() error { return s.client.Create(ctx, request, func(api.ProgressResponse) error { return nil }) }
	if err := create(); err != nil {
		// A file that no model has, yet, goes with a model that is removed meanwhile, and when the server starts.
		if sent, again := s.upload(ctx, files); again != nil || sent == 0 {
			return s.explain("making model "+tag, err)
		}
		if err := create(); err != nil {
			return s.explain("making model "+tag, err)
		}
	}
	return s.verify(ctx, tag, base, adapter)
}

// unchanged holds a server to the base that TagBase found there: one that lacks the tag would download what others call so.
func (s *Server) unchanged(ctx context.Context, base Base) error {
	c, found, err := s.contents(ctx, base.tag)
	if err == nil && (!found || c.model != base.Digest) {
		return fmt.Errorf("%w: model %s of %s was removed, or replaced by another, since it was found there; make it again of the file with the sha256 %s", ErrTag, base.tag, s.url, base.Digest)
	}
	return err
}

// Remove removes a model. One that is not there is no error.
func (s *Server) Remove(ctx context.Context, tag string) error {
	err := s.client.Delete(ctx, &api.DeleteRequest{Model: tag})
	var status api.StatusError
	if err == nil || errors.As(err, &status) && status.StatusCode == http.StatusNotFound {
		return nil
	}
	return s.explain("removing model "+tag, err)
}

// Adapter makes a model of the server from a base and the GGUF adapter in a file. An earlier push to the same tag is replaced; a tag that names
// something else is left alone, with ErrTag.
func (s *Server) Adapter(ctx context.Context, tag string, base Base, adapter string) error {
	if err := checkTag(tag); err != nil {
		return err
	}
	c, found, err := s.contents(ctx, tag)
	if err != nil {
		return err
	}
	if found && (c.model != base.Digest || len(c.adapters) == 0) {
		return fmt.Errorf("%w: %s has another model %s, which would be lost; choose another tag, or remove it with: ollama rm %s", ErrTag, s.url, tag, tag)
	}
	a, err := FileBase(adapter)
	if err != nil {
		return err
	}
	return s.Put(ctx, tag, base, a)
}

// verify holds the server to what was asked of it: it may report success after an error in the middle.
func (s *Server) verify(ctx context.Context, tag string, base, adapter Base) error {
	c, found, err := s.contents(ctx, tag)
	if err != nil {
		return err
	}
	var want []string
	if adapter.Digest != "" {
		want = []string{adapter.Digest}
	}
	if !found || c.model != base.Digest || !slices.Equal(c.adapters, want) {
		return fmt.Errorf("%s did not make model %s as asked; its log says why", s.url, tag)
	}
	return nil
}
