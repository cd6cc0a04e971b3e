package engine

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// job is work that is cut into numbered parts. What a part computes may not depend on the worker that does it.
type job interface {
	// part does part i; worker, below the count given by workers, says whose scratch memory to use.
	part(i, worker int)
}

// crew is one call of parallel: helpers take part numbers from it until they are gone.
type crew struct {
	job  job
	n    int64
	next atomic.Int64
	ids  atomic.Int64
	done sync.WaitGroup
}

var (
	crews   = sync.Pool{New: func() any { return new(crew) }}
	calls   = make(chan *crew, 1024)
	helpers atomic.Int64
)

// spared is how many of the threads that run Go code the workers leave free.
var spared atomic.Int64

// Spare gives the process n more threads to run Go code on than it has, and leaves them to all but the workers. A goroutine that has to answer
// at once otherwise waits until the Go scheduler takes a thread from a worker, which it does every 10 ms.
func Spare(n int) {
	spared.Add(int64(n))
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + n)
}

// workers is how many workers parallel uses at the most.
func workers() int { return max(1, runtime.GOMAXPROCS(0)-int(spared.Load())) }

func (c *crew) work() {
	worker := int(c.ids.Add(1)) - 1
	for {
		i := c.next.Add(1) - 1
		if i >= c.n {
			return
		}
		c.job.part(int(i), worker)
	}
}

// parallel does parts 0 … n−1 of j on all cores and returns when they are done. Helpers are kept between calls, so that a
// call allocates nothing. A part may not call parallel itself.
func parallel(n int, j job) {
	count := min(workers(), n)
	c := crews.Get().(*crew)
	c.job, c.n = j, int64(n)
	c.next.Store(0)
	c.ids.Store(0)
	for helpers.Load() < int64(count-1) {
		helpers.Add(1)
		go func() {
			for c := range calls {
				c.work()
				c.done.Done()
			}
		}()
	}
	c.done.Add(max(count-1, 0))
	for range count - 1 {
		calls <- c
	}
	c.work()
	c.done.Wait()
	c.job = nil
	crews.Put(c)
}
