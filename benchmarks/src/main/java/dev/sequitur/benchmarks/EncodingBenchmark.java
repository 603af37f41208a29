package dev.sequitur.benchmarks;

import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.message.EndorsementRequest;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The largest of the messages that every transaction needs several of. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EncodingBenchmark {
  private final ProtocolFormat format = new ProtocolFormat();
  private final EndorsementRequest request = new Samples().endorsementRequest();
  private final byte[] encoded = format.encode(request);

  @Benchmark
  public byte[] encode() {
    return format.encode(request);
  }

  @Benchmark
  public EndorsementRequest decode() {
    return format.decode(encoded, EndorsementRequest.class);
  }
}
