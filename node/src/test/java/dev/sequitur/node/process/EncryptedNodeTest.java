package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.NodeKeyFile;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose records lie encrypted, over restarts and another wrapping key. */
class EncryptedNodeTest {
  /** In what a caller sends, and so in records of all kinds. */
  private static final String SECRET = "whatnobodyelseistoread";

  private static final String PASSPHRASE = "eine sehr lange parole";

  @TempDir private Path directory;

  private NodeConfiguration configuration(boolean encrypts) {
    return LoneNode.configuration(directory.resolve("data"))
        .withKeyPassphrase(Optional.of(directory.resolve("passphrase")))
        .withKeyDirectory(directory.resolve("keys"))
        .withEncryptRecords(encrypts);
  }

  @BeforeEach
  void choosePassphrase() throws IOException {
    var file = directory.resolve("passphrase");
    Files.writeString(file, PASSPHRASE + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** Also in logs. */
  private static boolean isIn(Path directory, String text) throws IOException {
    try (var files = Files.walk(directory)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text)) {
          return true;
        }
      }
    }
    return false;
  }

  private String refusal(NodeConfiguration configuration) {
    return catchThrowableOfType(StartFailure.class, () -> LoneNode.start(configuration).close())
        .getMessage();
  }

  @Test
  void whatANodeStoresIsReadByItselfAndByNobodyWithoutItsKeys() throws Exception {
    try (var node = LoneNode.start(configuration(true))) {
      node.count(node.makeGroup(), SECRET);
      assertThat(node.caller().result("node_diagnose", "[]").toString()).doesNotContain(PASSPHRASE);
    }
    assertThat(isIn(directory.resolve("data/leveldb"), SECRET)).isFalse();
    assertThat(isIn(directory.resolve("data/checkpoints"), SECRET)).isFalse();
    assertThat(isIn(directory.resolve("data"), PASSPHRASE)).isFalse();
    assertThat(isIn(directory.resolve("keys"), PASSPHRASE)).isFalse();
    assertThat(refusal(configuration(false))).contains("set node.encrypt-records = on");

    var keys = directory.resolve("keys");
    var source =
        new KeyPassphrase(
            Optional.of(directory.resolve("passphrase")),
            Optional.empty(),
            question -> Optional.empty());
    var before = FileKeys.open(keys, source).verifier(NodeKeyNames.records());
    var data = configuration(true).directory();
    assertThat(RecordsKey.isNewest(data, FileKeys.open(keys, source))).isTrue();
    new NodeKeyFile(keys, source).rotate(NodeKeyNames.records(), Optional.empty());
    assertThat(RecordsKey.isNewest(data, FileKeys.open(keys, source)))
        .as("before a start has encrypted anew")
        .isFalse();
    try (var node = LoneNode.start(configuration(true))) {
      assertThat(node.node().sequencer().groupCount()).isEqualTo(1);
    }
    assertThat(RecordsKey.isNewest(data, FileKeys.open(keys, source))).isTrue();
    // The key of before is of use no more.
    new NodeKeyFile(keys, source).revoke(NodeKeyNames.records(), Optional.of(before));
    try (var node = LoneNode.start(configuration(true))) {
      assertThat(node.node().sequencer().groupCount()).isEqualTo(1);
    }
    new NodeKeyFile(keys, source).revoke(NodeKeyNames.records(), Optional.empty());
    new NodeKeyFile(keys, source).rotate(NodeKeyNames.records(), Optional.empty());
    assertThat(refusal(configuration(true)))
        .contains("were encrypted by a key that its key store does not have, or has revoked");
  }

  @Test
  void anOpenSeedBesideTheRecordsIsRefused() {
    assertThat(
            refusal(
                configuration(true)
                    .withKeyDirectory(configuration(true).directory())
                    .withKeyPassphrase(Optional.empty())))
        .contains("is of no use while the key seed lies open beside the records");
  }

  @Test
  void anOpenSeedBelowTheRecordsOrBehindALinkToThemIsRefused() throws IOException {
    var open = configuration(true).withKeyPassphrase(Optional.empty());
    Files.createDirectories(open.directory());
    var link = Files.createSymbolicLink(directory.resolve("link"), open.directory());

    for (var keys : List.of(open.directory().resolve("keys"), link)) {
      assertThat(refusal(open.withKeyDirectory(keys)))
          .as(keys.toString())
          .contains("is of no use while the key seed lies open beside the records");
    }
  }
}
