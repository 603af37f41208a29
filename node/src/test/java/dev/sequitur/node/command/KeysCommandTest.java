package dev.sequitur.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.NodeKeyFile;
import dev.sequitur.crypto.Passphrase;
import dev.sequitur.node.process.KeyPassphrase;
import dev.sequitur.node.process.ProcessStarter;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysCommandTest {
  private static final String PASSPHRASE = "das ist die Losung";

  @TempDir Path directory;

  private RecordedConsole console = new RecordedConsole();

  @BeforeEach
  void configure() throws IOException {
    Files.writeString(
        directory.resolve("node.conf"),
        "node { name = node1, data-directory = data, key-passphrase-file = passphrase }\n");
    secret("passphrase", PASSPHRASE);
    secret("next", "und das die naechste");
  }

  @Test
  void aSeedIsEncryptedGetsAnotherPassphraseAndLiesOpenAgain() throws IOException {
    var keys = FileKeys.open(directory.resolve("data")).verifier("alice");
    assertThat(ofNode("show")).isZero();
    assertThat(console.out()).contains("is not encrypted: whoever reads the file has all keys");

    assertThat(ofNode("encrypt")).isZero();
    assertThat(console.out()).contains("is encrypted by a passphrase").doesNotContain(PASSPHRASE);
    assertThat(opened("passphrase")).isEqualTo(keys);

    assertThat(ofNode("encrypt")).isEqualTo(2);
    assertThat(console.err()).contains("change-passphrase");

    assertThat(ofNode("change-passphrase", "--new-passphrase-file", path("next"))).isZero();
    assertThat(opened("next")).isEqualTo(keys);

    assertThat(ofNode("decrypt")).as("by the passphrase of before").isNotZero();
    assertThat(console.err()).contains("the passphrase is wrong").doesNotContain(PASSPHRASE);
    assertThat(ofNode("decrypt", "--passphrase-file", path("next"))).isZero();
    assertThat(FileKeys.open(directory.resolve("data")).verifier("alice")).isEqualTo(keys);
    assertThat(ofNode("decrypt")).isEqualTo(2);
    assertThat(console.err()).contains("is not encrypted");
  }

  @Test
  void anIdentityGetsAKeyAnotherOneAndLosesThem() throws IOException {
    secret("alice.key", "00".repeat(31) + "01");
    assertThat(ofNode("show")).isNotZero();
    FileKeys.open(
        directory.resolve("data"),
        of(Optional.of(directory.resolve("passphrase")), Optional.empty()));
    assertThat(ofNode("list")).isZero();
    assertThat(console.out()).contains("Every identity has the key that follows from the seed.");

    assertThat(ofNode("import", "alice", "--key-file", path("alice.key"))).isZero();
    assertThat(console.out())
        .contains("alice 0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798 own")
        .doesNotContain("00".repeat(31));
    assertThat(ofNode("rotate", "alice")).isZero();
    assertThat(console.out().lines()).hasSize(2).allMatch(line -> line.endsWith(" own held"));
    assertThat(
            ofNode(
                "revoke",
                "alice",
                "--key",
                "0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"))
        .isZero();
    assertThat(console.out().lines().map(line -> line.replaceAll(".* ", "")))
        .containsExactly("revoked", "held");
    assertThat(ofNode("revoke", "bob")).isZero();
    assertThat(console.out()).contains(" seed revoked");
    assertThat(ofNode("list", "--json")).isZero();
    assertThat(console.out()).contains("\"state\" : \"revoked\"", "\"name\" : \"bob\"");
  }

  @Test
  void aKeyThatANodeSignsItsOwnWithIsNotChangedButForTheFundingAccount() throws IOException {
    secret("a.key", "00".repeat(31) + "01");
    FileKeys.open(
        directory.resolve("data"),
        of(Optional.of(directory.resolve("passphrase")), Optional.empty()));

    assertThat(ofNode("rotate", "salts.intents")).isEqualTo(2);
    assertThat(console.err()).contains("the node's own");
    assertThat(ofNode("import", "submitter.0x00", "--key-file", path("a.key"))).isEqualTo(2);
    assertThat(ofNode("rotate", "funding.account")).isEqualTo(2);
    assertThat(ofNode("import", "funding.account", "--key-file", path("a.key"))).isZero();
    assertThat(ofNode("rotate", "no name")).isEqualTo(2);
    assertThat(ofNode("revoke", "alice", "--key", "0x00")).isEqualTo(2);
    assertThat(console.err()).contains("no public key of 33 bytes");
  }

  /** The next start would not find what opens the records. */
  @Test
  void theNewestKeyOfTheRecordsIsNotRevoked() throws IOException {
    var first = records();
    assertThat(ofNode("revoke", "storage.records", "--key", first)).as("the only one").isEqualTo(2);
    assertThat(console.err()).contains("`sequitur keys rotate storage.records`");

    assertThat(ofNode("rotate", "storage.records")).isZero();
    var second = records();
    assertThat(ofNode("revoke", "storage.records", "--key", second)).isEqualTo(2);
    assertThat(ofNode("revoke", "storage.records", "--key", first)).isZero();
    assertThat(console.out().lines().map(line -> line.replaceAll(".* ", "")))
        .containsExactly("revoked", "held");
  }

  /** No start has encrypted anew: the next one would not find what opens the records. */
  @Test
  void anOlderKeyOfTheRecordsIsNotRevokedBeforeAStartWithTheNewest() throws IOException {
    var first = records();
    Files.createDirectories(directory.resolve("data/leveldb"));
    assertThat(ofNode("rotate", "storage.records")).isZero();

    assertThat(ofNode("revoke", "storage.records", "--key", first)).isEqualTo(2);
    assertThat(console.err()).contains("has not started with the newest key of storage.records");
    assertThat(
            run(
                "revoke",
                "storage.records",
                "--key",
                first,
                "--directory",
                path("data"),
                "--passphrase-file",
                path("passphrase")))
        .isEqualTo(2);
    assertThat(console.err()).contains("--config");
  }

  /** Of a file in which the newest one was revoked all the same. */
  @Test
  void theNewestKeyOfTheRecordsIsTheNewestThatIsHeld() throws IOException {
    var first = records();
    assertThat(ofNode("rotate", "storage.records")).isZero();
    new NodeKeyFile(
            directory.resolve("data"),
            of(Optional.of(directory.resolve("passphrase")), Optional.empty()))
        .revoke("storage.records", Optional.of(new Verifier(Bytes.hex(records()))));

    assertThat(ofNode("revoke", "storage.records", "--key", first)).isEqualTo(2);
  }

  private String records() throws IOException {
    return FileKeys.open(
            directory.resolve("data"),
            of(Optional.of(directory.resolve("passphrase")), Optional.empty()))
        .verifier("storage.records")
        .toString();
  }

  @Test
  void aDirectoryIsNamedInPlaceOfAConfiguration() throws IOException {
    FileKeys.open(directory.resolve("factory"));

    assertThat(
            run(
                "encrypt",
                "--directory",
                path("factory"),
                "--new-passphrase-file",
                path("passphrase")))
        .isZero();
    assertThat(run("show", "--directory", path("factory"), "--json")).isZero();
    assertThat(console.out()).contains("\"encrypted\" : true");
    assertThat(run("show")).isEqualTo(2);
    assertThat(console.err()).contains("by --config or by --directory");
    assertThat(run("show", "--directory", path("nothing"))).isNotZero();
    assertThat(console.err()).contains("cannot be read");
  }

  @Test
  void whoIsAskedForANewOneTypesItTwice() throws IOException {
    assertThat(asked("one passphrase", "one passphrase").fresh()).isNotNull();
    assertThat(refusal(asked("one passphrase", "another passphrase"))).contains("not the same");
    assertThat(refusal(asked("short"))).contains("at least 12");
    assertThat(refusal(asked())).contains("name a file");
  }

  @Test
  void theFileGoesBeforeTheEnvironmentAndThatBeforeWhoIsAsked() throws IOException {
    var seed = directory.resolve("seed");
    FileKeys.open(
        seed, of(Optional.of(directory.resolve("passphrase")), Optional.of("wrong, wrong")));

    FileKeys.open(seed, of(Optional.empty(), Optional.of(PASSPHRASE), "wrong, wrong"));
    FileKeys.open(seed, asked(PASSPHRASE));
    assertThat(new KeyPassphrase(Optional.empty(), Optional.of(PASSPHRASE), asked().terminal()))
        .asString()
        .doesNotContain(PASSPHRASE);
  }

  private static String refusal(KeyPassphrase passphrase) {
    try {
      passphrase.fresh();
      return "";
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private static KeyPassphrase asked(String... answers) {
    return of(Optional.empty(), Optional.empty(), answers);
  }

  private static KeyPassphrase of(
      Optional<Path> file, Optional<String> environment, String... answers) {
    var left = new ArrayDeque<>(List.of(answers));
    return new KeyPassphrase(
        file, environment, question -> Optional.ofNullable(left.poll()).map(String::toCharArray));
  }

  private Object opened(String passphrase) throws IOException {
    var file = directory.resolve(passphrase);
    assertThat(Passphrase.read(file)).isNotNull();
    return FileKeys.open(directory.resolve("data"), of(Optional.of(file), Optional.empty()))
        .verifier("alice");
  }

  private void secret(String name, String text) throws IOException {
    var file = Files.writeString(directory.resolve(name), text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private int ofNode(String command, String... more) {
    var arguments = new ArrayList<>(List.of(command, "--config", path("node.conf")));
    arguments.addAll(List.of(more));
    return run(arguments.toArray(String[]::new));
  }

  private int run(String... words) {
    console = new RecordedConsole();
    var line = new ArrayList<>(List.of("keys"));
    line.addAll(List.of(words));
    return NodeCommands.commandLine(
            new CommandContext(console.console(), new StopSignal(), new ProcessStarter()))
        .execute(line.toArray(String[]::new));
  }
}
