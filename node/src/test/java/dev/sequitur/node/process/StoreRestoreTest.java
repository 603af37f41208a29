package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.NodeKeyFile;
import dev.sequitur.crypto.PassphraseSource;
import dev.sequitur.persistence.backup.Backup;
import dev.sequitur.persistence.backup.BackupContent;
import dev.sequitur.persistence.backup.BackupDirectory;
import dev.sequitur.persistence.backup.BackupManifest.Engine;
import dev.sequitur.persistence.backup.BackupManifest.Source;
import dev.sequitur.persistence.backup.Pace;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap.Visitor;
import dev.sequitur.persistence.map.StoredMoment;
import dev.sequitur.persistence.serialization.DiskFormat;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node lacks that is to encrypt what it brings back. */
class StoreRestoreTest {
  @TempDir private Path directory;

  private record Empty() implements StoredMoment {
    @Override
    public void scan(KeyRange range, Visitor visitor) {
      // Nothing is stored.
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  @Test
  void whoHasRevokedTheKeyThatRecordsAreToBeEncryptedByIsToldToMakeAnother() throws IOException {
    var keys = directory.resolve("keys");
    var file = FileKeys.open(keys);
    var configuration =
        LoneNode.configuration(directory.resolve("data"))
            .withKeyDirectory(keys)
            .withEncryptRecords(true);
    var source =
        new Source(
            configuration.name(),
            NodeSystem.fingerprint(file),
            List.of(),
            false,
            Engine.LEVELDB,
            DiskFormat.OURS.current(),
            Instant.parse("2026-11-30T07:00:00Z"),
            Optional.empty());
    var backups = new BackupDirectory(directory.resolve("backup"));
    new Backup(new Empty(), source, Pace.UNBOUNDED, progress -> {}).writeTo(backups);
    var backup = BackupContent.of(backups);

    new NodeKeyFile(keys, PassphraseSource.NONE).revoke(NodeKeyNames.records(), Optional.empty());
    assertThatThrownBy(() -> StoreRestore.into(configuration, backup))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("by `sequitur keys rotate storage.records`, and restore then.");

    new NodeKeyFile(keys, PassphraseSource.NONE).rotate(NodeKeyNames.records(), Optional.empty());
    assertThat(StoreRestore.into(configuration, backup)).isEmpty();
  }
}
