// Package engine runs and trains models of the architectures llama and qwen2 in Go.
//
// It reads GGUF files, samples in batches, returns hidden states and exact next-token distributions, trains LoRA adapters on any model
// and all parameters of a small one, and writes both. Results are bit for bit the same whatever the number of cores: work is cut into
// parts that depend on the input alone, and sums over parts are taken in one order.
//
// A small model's weights are float32 in memory, and each core runs its own sequences. A large one is frozen: its matrices stay in
// the memory-mapped file in the file's format and are decoded, a panel at a time, into what the tiles of a matrix product read; all
// cores work on the same product, and adapters are applied beside the weights.
package engine
