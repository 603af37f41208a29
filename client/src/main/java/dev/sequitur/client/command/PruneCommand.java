package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.CallFailure;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.Console;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.console.WrongOption;
import dev.sequitur.protocol.text.Counted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code sequitur prune}. */
@Command(
    name = "prune",
    description = {
      "Says how long a running node keeps what has ended, and up to where it has forgotten it. The"
          + " node forgets by itself, in the background, as room.keep of its configuration says.",
      "",
      "With --dry-run it counts what would be forgotten now by the configuration of the JVM that is"
          + " called, and nothing is. Set room.keep on one JVM to see what it would do there, or to"
          + " a longer time first.",
      "Of an embedded ledger with checkpoints it says which blocks are dropped, and which readers have"
          + " not agreed yet.",
      "With --export FILE it writes all that would be forgotten now into a new file of this machine, a"
          + " line of JSON for each receipt, and nothing is forgotten. The file has private states as"
          + " they are: only its owner may read it. A node that has room.export.directory in its"
          + " configuration writes the same lines itself, before it forgets.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur prune --node http://127.0.0.1:8545",
      "  sequitur prune --dry-run",
      "  sequitur prune --export ended.jsonl"
    })
final class PruneCommand extends AskingCommand implements Callable<Integer>, EndsAtOnce {
  private final Console console;

  @Option(names = "--dry-run", description = "Counts what would be forgotten now.")
  private boolean dryRun;

  @Option(
      names = "--export",
      paramLabel = "FILE",
      description = "Writes what would be forgotten now into a new file.")
  private Path export;

  PruneCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (export != null) {
      return export();
    }
    if (!dryRun) {
      print(node().call("node_room"), room -> standing(room) + ledger(room));
      return ExitCode.OK;
    }
    var call = new LongCall(node(), console);
    var count =
        call.end(
            "node_estimateRoom",
            "node_roomEstimate",
            sofar -> amount(sofar, "transactions", "bytes") + " counted");
    var room = node().call("node_room");
    return call.print(out(), count, it -> estimate(it) + ledger(room));
  }

  private int export() {
    if (dryRun) {
      throw new WrongOption("Give --dry-run or --export, not both.");
    }
    try (var file = NewFile.begin(export)) {
      long lines = 0;
      var read = node().call("node_endedTransactions");
      while (true) {
        for (var line : read.path("lines")) {
          file.add(NodeCalls.JSON.writeValueAsBytes(line));
          lines++;
        }
        if (console.interactive()) {
          console.err().printf("\r%s written", Counted.of(lines, "receipt"));
          console.err().flush();
        }
        if (!read.has("next")) {
          break;
        }
        read =
            node()
                .call(
                    "node_endedTransactions",
                    NodeCalls.JSON.createArrayNode().add(read.get("next").longValue()));
      }
      file.finish();
      if (console.interactive()) {
        console.err().println();
      }
      out()
          .printf(
              "%s has %s: %s. Nothing was forgotten by this.%n",
              export, Counted.of(lines, "receipt"), read.path("stop").asText());
      return ExitCode.OK;
    } catch (IOException e) {
      throw new CallFailure("%s cannot be written (%s).".formatted(export, e.getMessage()), e);
    }
  }

  /** Lines in a file that has its name once all of them are on the disk. */
  private record NewFile(Path path, Path part, FileChannel channel) implements AutoCloseable {
    static NewFile begin(Path path) throws IOException {
      if (Files.exists(path)) {
        throw new WrongOption(path + " is there: name a file that is not, or remove it.");
      }
      var part = path.resolveSibling(path.getFileName() + ".part");
      Files.deleteIfExists(part);
      boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
      return new NewFile(
          path,
          part,
          FileChannel.open(
              part,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              posix
                  ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                        PosixFilePermissions.fromString("rw-------"))
                  }
                  : new FileAttribute<?>[0]));
    }

    void add(byte[] line) throws IOException {
      var bytes = ByteBuffer.allocate(line.length + 1).put(line).put((byte) '\n').flip();
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }

    void finish() throws IOException {
      channel.force(true);
      Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws IOException {
      channel.close();
      Files.deleteIfExists(part);
    }
  }

  private static String amount(JsonNode count, String rows, String bytes) {
    return "%s (%s)"
        .formatted(
            Counted.of(count.path(rows).asLong(), "transaction"),
            Counted.of(count.path(bytes).asLong(), "byte"));
  }

  private static String estimate(JsonNode count) {
    return LongCall.state(count).equals("failed")
        ? "The count has failed: " + count.path("trouble").asText()
        : "Now the node would forget %s, and the ids of %s: %s. Nothing was forgotten by this."
            .formatted(
                amount(count, "transactions", "bytes"),
                amount(count, "ids", "idBytes"),
                count.path("stop").asText());
  }

  /**
   * Of a ledger with checkpoints: which blocks are gone, which would go, and who holds them back.
   */
  private static String ledger(JsonNode room) {
    var ledger = room.path("ledger");
    if (ledger.isMissingNode()) {
      return "";
    }
    var said = new StringBuilder();
    said.append(
        "%nThe ledger has its blocks from %s on, and would drop %s now; it keeps %s. %s This node agrees as %s."
            .formatted(
                ledger.path("oldest").asText(),
                Counted.of(ledger.path("droppable").asLong(), "block"),
                ledger.path("keep").asText().equals("forever")
                    ? "all (keep-blocks)"
                    : "the newest "
                        + Counted.of(ledger.path("keep").asLong(), "block")
                        + " (keep-blocks)",
                ledger.has("agreed")
                    ? "All readers agree up to block " + ledger.path("agreed").asText() + "."
                    : "No checkpoint is agreed to by all readers.",
                room.path("reader").asText()));
    ledger
        .path("readers")
        .forEach(
            reader ->
                said.append(
                    "%n  %s: %s%s"
                        .formatted(
                            reader.path("name").asText(),
                            reader.path("standing").asText(),
                            reader.has("upTo") ? ", block " + reader.path("upTo").asText() : "")));
    return said.toString();
  }

  private static String standing(JsonNode room) {
    if (room.path("keep").asText().equals("forever")) {
      return "The node keeps all that has ended: room.keep of its configuration is forever.";
    }
    return "The node keeps what has ended for %s, and its id for %s. %s"
        .formatted(
            room.path("keep").asText(),
            room.path("ids").asText(),
            room.has("contents")
                ? "Forgotten is what had ended by %s: all receipts below number %s."
                    .formatted(
                        room.path("contents").path("ended").asText(),
                        room.path("contents").path("before").asText())
                : "Nothing is forgotten yet.");
  }
}
