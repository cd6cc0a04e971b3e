package push

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ollama/ollama/api"
)

// Base makes the base itself a model of the server, under a tag. What the tag named before is replaced.
func (s *Server) Base(ctx context.Context, tag string, base Base) error {
	return s.create(ctx, tag, base, nil)
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
	if err := s.upload(ctx, a.Digest, a.open); err != nil {
		return err
	}
	return s.create(ctx, tag, base, map[string]string{"adapter.gguf": "sha256:" + a.Digest})
}

func (s *Server) create(ctx context.Context, tag string, base Base, adapters map[string]string) error {
	if err := checkTag(tag); err != nil {
		return err
	}
	request := &api.CreateRequest{Model: tag, Adapters: adapters}
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
	return s.verify(ctx, tag, base, adapters)
}

// verify holds the server to what was asked of it: it may report success after an error in the middle.
func (s *Server) verify(ctx context.Context, tag string, base Base, adapters map[string]string) error {
	c, found, err := s.contents(ctx, tag)
	if err != nil {
		return err
	}
	var made []string
	for _, digest := range c.adapters {
		made = append(made, "sha256:"+digest)
	}
	if !found || c.model != base.Digest || !slices.Equal(made, slices.Collect(maps.Values(adapters))) {
		return fmt.Errorf("%s did not make model %s as asked; its log says why", s.url, tag)
	}
	return nil
}
