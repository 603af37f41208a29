package dev.sequitur.persistence.natives;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.natives.NativeDirectory.UnusableDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeDirectoryTest {
  private static final byte[] CODE = "native code".getBytes(UTF_8);

  @TempDir private Path directory;

  @Test
  void aLibraryIsWrittenOnceAndForItsUserAlone() throws IOException {
    var file = NativeDirectory.unpacked(directory, "lib.so", CODE);
    var written = Files.getLastModifiedTime(file);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1));

    assertThat(NativeDirectory.unpacked(directory, "lib.so", CODE)).isEqualTo(file);
    assertThat(Files.getLastModifiedTime(file)).isLessThan(written);
    assertThat(file).hasBinaryContent(CODE);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(files()).containsExactly(file);
  }

  @Test
  void whatHasAnotherContentIsReplaced() throws IOException {
    var file = NativeDirectory.unpacked(directory, "lib.so", CODE);
    for (var wrong : List.of("native c0de", "", "native code and more")) {
      Files.writeString(file, wrong);

      assertThat(NativeDirectory.unpacked(directory, "lib.so", CODE)).isEqualTo(file);
      assertThat(file).hasBinaryContent(CODE);
    }
  }

  @Test
  void anotherVersionHasAnotherPlace() throws IOException {
    NativeDirectory.unpacked(directory, "lib.so", CODE);
    NativeDirectory.unpacked(directory, "lib.so", new byte[] {1});

    assertThat(files()).hasSize(2);
  }

  @Test
  void aPlaceThatCannotBeWrittenIsToldWithWhatToDo() throws IOException {
    var file = Files.writeString(directory.resolve("file"), "");

    assertThatThrownBy(() -> NativeDirectory.unpacked(file, "lib.so", CODE))
        .isInstanceOf(UnusableDirectory.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("SEQUITUR_NATIVE_DIR");
  }

  @Test
  void codeThatCannotBeRunThereIsToldWithWhatToDo() {
    var resource = NativeDirectoryTest.class.getName().replace('.', '/') + ".class";
    var noCode =
        new NativeLibrary("sequitur.test.path", Map.of(NativeLibrary.platform(), resource));

    assertThatThrownBy(() -> NativeDirectory.load(directory, List.of(noCode)))
        .isInstanceOf(UnusableDirectory.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("noexec")
        .hasMessageContaining("SEQUITUR_NATIVE_DIR");
    assertThat(System.getProperty("sequitur.test.path")).isNull();
  }

  private List<Path> files() throws IOException {
    try (var all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }
}
