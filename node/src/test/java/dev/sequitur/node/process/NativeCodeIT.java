package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of native libraries by a process that is killed. */
@Tag("slow")
class NativeCodeIT {
  @TempDir private Path directory;

  @Test
  void aKilledNodeLeavesNoneAmongTheTemporaryFilesAndUnpacksThemOnce() throws IOException {
    var temporary = Files.createDirectory(directory.resolve("tmp"));
    var file =
        Files.writeString(
            directory.resolve("node.conf"),
            "node { name = node1, data-directory = data }\nrpc.port = 0");
    List<Path> unpacked = null;
    for (int start = 0; start < 2; start++) {
      try (var node = start(temporary, file)) {
        node.awaitLine("Node node1 is up");
        node.kill();
      }
      assertThat(files(temporary)).noneMatch(left -> left.toString().contains(".so"));
      var now = files(directory.resolve("data").resolve("native"));
      assertThat(now).hasSize(2);
      assertThat(unpacked == null || unpacked.equals(now)).isTrue();
      unpacked = now;
    }
  }

  @Test
  void aDirectoryThatCannotBeWrittenStopsTheStartWithASentence() throws IOException {
    Files.createDirectory(directory.resolve("data"));
    Files.writeString(directory.resolve("data").resolve("native"), "a file");
    var file =
        Files.writeString(
            directory.resolve("node.conf"),
            "node { name = node1, data-directory = data }\nrpc.port = 0");
    try (var node = start(directory, file)) {
      assertThat(node.awaitExit()).isEqualTo(1);
      assertThat(node.output())
          .contains("sequitur start: Native libraries cannot be unpacked", "SEQUITUR_NATIVE_DIR")
          .doesNotContain("\tat ");
    }
  }

  private SequiturProcess start(Path temporary, Path file) {
    return SequiturProcess.start(
        directory,
        dev.sequitur.node.NodeMain.class,
        List.of("-Djava.io.tmpdir=" + temporary),
        "start",
        "--config",
        file.toString());
  }

  private static List<Path> files(Path directory) throws IOException {
    try (var all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
