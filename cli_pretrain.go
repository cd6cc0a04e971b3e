package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"verge/runner"
	"verge/runner/pretrain"
)

func pretrainCommand() *cobra.Command {
	o := pretrain.Default()
	var variant bool
	c := &cobra.Command{
		Use:   "pretrain",
		Short: "Train the embedded model from scratch on text that domains make",
		Long: `Pretrain trains a byte-level Llama from scratch and writes it as a GGUF file. The defaults are those
of the model that is embedded in this binary; the same settings give the same file, byte for byte.

An interrupted training leaves a checkpoint beside the file and goes on from it when the command is
given again.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if variant {
				second := pretrain.Variant()
				o.Name, o.Shape = second.Name, second.Shape
				if !c.Flags().Changed("seed") {
					o.Seed = second.Seed
				}
				if !c.Flags().Changed("out") {
					o.Out = second.Out
				}
			}
			if err := o.Check(); err != nil {
				return requestError{err}
			}
			return pretrainRun(c.Context(), o)
		},
	}
	f := c.Flags()
	f.BoolVar(&variant, "variant", false, "the second family: another width and depth, seed 2")
	f.StringVar(&o.Out, "out", o.Out, "`file` to write")
	f.IntVar(&o.Steps, "steps", o.Steps, "optimiser steps")
	f.IntVar(&o.Batch, "batch", o.Batch, "texts a step")
	f.Uint64Var(&o.Seed, "seed", o.Seed, "seed of the weights and the text")
	f.Float64Var(&o.Rate, "rate", o.Rate, "peak learning rate")
	f.IntVar(&o.Every, "checkpoint", o.Every, "steps between checkpoints; 0: only when interrupted")
	return c
}

func pretrainRun(ctx context.Context, o pretrain.Options) error {
	shown := time.Now()
	m, err := pretrain.Run(ctx, o, runner.Corpora(), func(p pretrain.Progress) {
		if p.Step == p.Resumed+1 && p.Resumed > 0 {
			fmt.Fprintf(os.Stderr, "going on from step %d\n", p.Resumed)
		}
		if p.Step != p.Steps && p.Step != p.Resumed+1 && time.Since(shown) < 2*time.Second {
			return
		}
		shown = time.Now()
		left := time.Duration(float64(p.Elapsed) / float64(p.Step-p.Resumed) * float64(p.Steps-p.Step))
		fmt.Fprintf(os.Stderr, "step %d/%d  loss %.4f  %.0f tokens/s  %s left\n",
			p.Step, p.Steps, p.Loss, float64(p.Tokens)/p.Elapsed.Seconds(), left.Round(time.Second))
	})
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(os.Stderr, "verge: interrupted; the same command goes on from %s.checkpoint\n", o.Out)
		return err
	}
	if errors.Is(err, pretrain.ErrNotWritable) || errors.Is(err, pretrain.ErrCheckpoint) {
		return requestError{err}
	}
	if err != nil {
		return err
	}
	fmt.Printf("%s  %d parameters  sha256 %s\n", o.Out, m.Parameters(), m.Digest)
	return nil
}
