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
	if adapter.Digest != "" {
		if err := s.upload(ctx, adapter.Digest, adapter.open); err != nil {
			return err
		}
		request.Adapters = map[string]string{"adapter.gguf": "sha256:" + adapter.Digest}
	}
	if base.tag != "" {
		request.From = base.tag
	} else {
		if err := s.upload(ctx, base.Digest, base.open); err != nil {
			return err
		}
		request.Files = map[string]string{"model.gguf": "sha256:" + base.Digest}
	}
	if err := s.client.Create(ctx, request, func(api.ProgressResponse) error { return nil }); err != nil {
		return s.explain("making model "+tag, err)
	}
	return s.verify(ctx, tag, base, adapter)
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
