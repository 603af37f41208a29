package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.SALLY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbSettings;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.protocol.checkpoint.Agreement;
import dev.sequitur.protocol.checkpoint.Agreements.Answer;
import dev.sequitur.protocol.checkpoint.Checkpoint;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.port.BaseLedger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a ledger has on its disk, byte for byte: a network that is started anew reads it. */
class LedgerLayoutTest {
  @TempDir private Path directory;

  @Test
  void eachTableIsLaidOutAsItWas() throws IOException {
    try (var network =
        new TestNetwork(
            LedgerStorage.levelDb(directory),
            LedgerSettings.DEFAULT
                .withFinalityDepth(2)
                .withCheckpointEvery(2)
                .withReaders(Map.of("sally", SALLY.address()))
                .withKeep(Optional.of(1L)))) {
      // One endorser: sets of several are written in any order.
      var deploy = new Deploy("token", TestNetwork.genesis(1, ALICE));
      var contract = network.deployed(deploy);
      network.mined(SALLY.signed(0, Intent.on(contract, "a").makes("coin").endorsedBy(ALICE)));
      network.mined(SALLY.signed(1, Intent.on(contract, "b").spends("coin").endorsedBy(ALICE)));
      network.mined(SALLY.signed(2, Intent.on(contract, "c").spends("coin").endorsedBy(ALICE)));
      var carrier = network.blocks().get(2);
      network.cut();
      agree(
          network,
          new Checkpoint(new BlockHeight(2), carrier.hash(), carrier.checkpoint().orElseThrow()));
      network.cut();
    }

    var stored = stored();

    assertThat(stored)
        .as("another layout needs another format of the head (LedgerTable)")
        .isEqualTo(golden(stored));
  }

  private static void agree(TestNetwork network, Checkpoint checkpoint) {
    var word = Agreement.by(SALLY.signer(), checkpoint, BaseLedger.LOCAL_CHAIN);
    assertThat(TestNetwork.now(network.ledger.checkpoints().orElseThrow().agree(word)))
        .isEqualTo(Answer.AGREED);
  }

  private String stored() {
    var lines = new StringBuilder();
    try (var db = LevelDb.open(directory, new LevelDbSettings(true, 16, 1 << 20, 1 << 20, 0))) {
      db.scan(
          KeyRange.startingWith(Key.in(KeySpace.BASE_LEDGER)),
          Order.ASCENDING,
          (key, value) -> {
            lines.append(key).append(" = ").append(HexFormat.of().formatHex(value)).append('\n');
            return true;
          });
    }
    return lines.toString().strip();
  }

  private static String golden(String now) throws IOException {
    var name = "ledger-8.txt";
    var write = System.getProperty("build.golden.write");
    if (write != null && LedgerLayoutTest.class.getResource("/golden/" + name) == null) {
      Files.writeString(Path.of(write, name), now + "\n");
    }
    try (var file = LedgerLayoutTest.class.getResourceAsStream("/golden/" + name)) {
      assertThat(file).as("golden/" + name).isNotNull();
      return new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }
}
