// Package engine runs and trains Llama-architecture models in Go.
//
// It reads and writes GGUF, samples in batches, returns hidden states and exact next-token distributions, and trains
// all parameters or LoRA adapters. Results are bit for bit the same whatever the number of cores: work is cut into
// shards that depend on the input alone, and sums over shards are taken in one order.
package engine
