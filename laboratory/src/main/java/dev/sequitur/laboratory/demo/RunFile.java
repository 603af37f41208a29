package dev.sequitur.laboratory.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sequitur.node.process.StartFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * What a data directory remembers of its demonstration: enough to submit the same again, since
 * everything else follows from it and what was accepted is known by its idempotency key.
 *
 * @param format of this file
 * @param nodes for the life of the directory
 * @param contracts for the life of the directory
 * @param run from 1
 * @param finished whether every intent of the run has its receipt
 */
record RunFile(
    int format, int nodes, int contracts, int run, long seed, int transactions, boolean finished) {
  private static final int FORMAT = 1;
  private static final String NAME = "demo.json";
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES).build();

  static RunFile first(int nodes, int contracts, int transactions) {
    return new RunFile(FORMAT, nodes, contracts, 1, 1, transactions, false);
  }

  RunFile next(int nextTransactions) {
    return new RunFile(FORMAT, nodes, contracts, run + 1, seed + 1, nextTransactions, false);
  }

  RunFile withFinished() {
    return new RunFile(format, nodes, contracts, run, seed, transactions, true);
  }

  Workload workload() {
    return new Workload(GroupPlan.of(nodes, contracts), run, seed, transactions);
  }

  /**
   * @throws StartFailure if there is such a file and it is none of ours
   */
  static Optional<RunFile> read(Path directory) {
    var file = directory.resolve(NAME);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      var read = JSON.readValue(Files.readString(file), RunFile.class);
      if (read.format != FORMAT) {
        throw new StartFailure(
            file + " is of another version of Sequitur: name another directory with --data.");
      }
      return Optional.of(read);
    } catch (JsonProcessingException e) {
      throw new StartFailure(
          file + " is damaged: name another directory with --data, or remove this one.", e);
    } catch (IOException e) {
      throw new StartFailure(file + " cannot be read: " + e.getMessage() + ".", e);
    }
  }

  /** Replaces the file as a whole; it is on the disk when this returns. */
  void write(Path directory) {
    var file = directory.resolve(NAME);
    var written = directory.resolve(NAME + ".new");
    try {
      Files.write(written, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(this));
      try (var channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
