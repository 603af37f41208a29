package dev.sequitur.benchmarks;

import dev.sequitur.protocol.assembly.AssemblyGraph;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One transaction into and out of a graph with 2,000 in flight. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class AssemblyGraphBenchmark {
  private static final int IN_FLIGHT = 2000;

  /** Whether each spends what the one before it made; else all are independent. */
  @Param({"false", "true"})
  private boolean chained;

  private AssemblyGraph graph = AssemblyGraph.EMPTY;
  private IntentKey first;
  private IntentKey next;
  private PostAssembly nextAssembly;

  /** The graph is immutable, so every call starts from the same one. */
  @Setup
  public void fill() {
    var samples = new Samples();
    PrivateState input = samples.coin();
    for (int i = 0; i < IN_FLIGHT; i++) {
      var id = samples.intent();
      var assembly = samples.assembly(input);
      graph = graph.add(id, assembly, true);
      first = i == 0 ? id : first;
      input = chained ? assembly.outputs().get(0) : samples.coin();
    }
    next = samples.intent();
    nextAssembly = samples.assembly(input);
  }

  @Benchmark
  public AssemblyGraph add() {
    return graph.add(next, nextAssembly, true);
  }

  @Benchmark
  public AssemblyGraph settle() {
    return graph.settle(first, new BlockHeight(1));
  }

  @Benchmark
  public AssemblyGraph settleAndForget() {
    return graph.settle(first, new BlockHeight(1)).forgetSettled(new BlockHeight(1));
  }
}
