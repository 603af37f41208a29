package dev.sequitur.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A passphrase that a token opens; with Debian's SoftHSM, if it is there. */
class TokenEnvelopeTest {
  private static final Path LIBRARY = Path.of("/usr/lib/softhsm/libsofthsm2.so");
  private static final String PIN = "48151623";

  @TempDir private Path directory;

  private void file(String name, String content) throws IOException {
    Files.writeString(directory.resolve(name), content);
    Files.setPosixFilePermissions(
        directory.resolve(name), PosixFilePermissions.fromString("rw-------"));
  }

  private List<String> run(List<String> command) throws Exception {
    var output = directory.resolve("output-" + command.getLast().hashCode());
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(output.toFile());
    builder.environment().put("SOFTHSM2_CONF", directory.resolve("softhsm2.conf").toString());
    var process = builder.start();
    assertThat(process.waitFor(240, TimeUnit.SECONDS)).as(command.getFirst()).isTrue();
    return Files.readAllLines(output, StandardCharsets.UTF_8);
  }

  /** In a process of its own, since the library goes by the environment. */
  @Test
  void aTokenOpensWhatItHasEncryptedAndSaysWhatKeepsItFromIt() throws Exception {
    var tool = Path.of("/usr/bin/softhsm2-util");
    assumeTrue(
        Files.exists(LIBRARY) && Files.isExecutable(tool),
        "SoftHSM is not installed (Debian's package softhsm2): no token to try.");
    Files.createDirectory(directory.resolve("tokens"));
    file("softhsm2.conf", "directories.tokendir = " + directory.resolve("tokens") + "\n");
    file("pin", PIN + "\n");
    file("wrong", "00000000\n");
    var made =
        run(
            List.of(
                tool.toString(),
                "--init-token",
                "--free",
                "--label",
                "sequitur",
                "--so-pin",
                "87654321",
                "--pin",
                PIN));
    var slot = Pattern.compile("reassigned to slot (\\d+)").matcher(String.join("\n", made));
    assertThat(slot.find()).as(made.toString()).isTrue();

    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.addAll(
        List.of(
            TokenProbe.class.getName(), LIBRARY.toString(), slot.group(1), directory.toString()));
    var told = run(command);

    assertThat(told)
        .contains("same true", "length 64", "sealed true", "opened true")
        .anyMatch(line -> line.startsWith("nobody The PIN of the token is not given"))
        .anyMatch(line -> line.startsWith("wrong The token in slot ") && line.contains("the PIN"))
        .anyMatch(
            line -> line.startsWith("label The token in slot ") && line.contains("no AES key"))
        .anyMatch(line -> line.startsWith("slot The token in slot "))
        .anyMatch(line -> line.startsWith("library The token in slot "))
        .anyMatch(line -> line.startsWith("damaged The envelope "));
    assertThat(String.join("\n", told)).doesNotContain(PIN);
    assertThat(Files.readString(directory.resolve("envelope"))).doesNotContain(PIN);
    // Else a token could sign for identities: look at decision 0275 again.
    assertThat(told).anyMatch(line -> line.startsWith("curve ") && !line.equals("curve done"));
  }

  @Test
  void anEnvelopeThatIsNoneIsRefusedBeforeAnyTokenIsAsked() throws Exception {
    for (var rest :
        List.of(
            "",
            "slot 0\n",
            "library /x\nkey k\nsealed 00\n",
            "library /x\nslot 0\nkey k\n",
            "library /x\nslot no\nkey k\nsealed 00\n",
            "library /x\nnone 1\n")) {
      file("envelope", TokenEnvelope.FIRST_LINE + "\n" + rest);
      assertThatThrownBy(() -> Passphrase.read(directory.resolve("envelope")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is damaged: restore it from a backup");
    }
  }
}
