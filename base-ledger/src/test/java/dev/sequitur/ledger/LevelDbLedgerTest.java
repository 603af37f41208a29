package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.BOB;
import static dev.sequitur.ledger.TestNetwork.CAROL;
import static dev.sequitur.ledger.TestNetwork.SALLY;
import static dev.sequitur.ledger.TestNetwork.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.leveldb.LevelDbException;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LevelDbLedgerTest {
  @TempDir private Path directory;

  @Test
  void aLedgerOnDiskGoesOnWhereItWas() {
    ContractAddress contract;
    try (var network = open(directory)) {
      contract = network.deployed();
      network.mined(SALLY.signed(0, make(contract, "a").endorsedBy(ALICE, BOB, CAROL)));
    }
    try (var network = open(directory)) {
      assertThat(network.head()).isEqualTo(2);
      assertThat(reason(network, 1, make(contract, "a"))).isEqualTo(RevertReason.INTENT_FULFILLED);
    }
  }

  @Test
  void aDirectoryCopiedWhileTheLedgerRunsHoldsEveryBlockThatWasShown() throws IOException {
    var copy = directory.resolve("copy");
    try (var network = open(directory.resolve("original"))) {
      var contract = network.deployed();
      for (int nonce = 0; nonce < 50; nonce++) {
        network.mined(
            SALLY.signed(nonce, make(contract, "t" + nonce).endorsedBy(ALICE, BOB, CAROL)));
      }
      network.submit(SALLY.signed(50, make(contract, "lost").endorsedBy(ALICE, BOB, CAROL)));
      copy(directory.resolve("original"), copy);

      try (var survivor = open(copy)) {
        assertThat(survivor.blocks()).isEqualTo(network.blocks());
        assertThat(now(survivor.ledger.nonce(SALLY.address()))).isEqualTo(50);
        assertThat(survivor.ledger.poolSize()).isZero();
        assertThat(reason(survivor, 50, make(contract, "t7")))
            .isEqualTo(RevertReason.INTENT_FULFILLED);
        survivor.ledger.reorganise(5);
        assertThat(survivor.head()).isEqualTo(52);
      }
    }
  }

  /** Also of blocks that no reorganisation can replace any more. */
  @Test
  void everyTransactionCanBeReadAsItWasSubmitted() {
    var submitted = new ArrayList<SignedLedgerTransaction>();
    try (var network = open(directory)) {
      var contract = network.deployed();
      for (int nonce = 0; nonce < 20; nonce++) {
        submitted.add(
            SALLY.signed(nonce, make(contract, "t" + nonce).endorsedBy(ALICE, BOB, CAROL)));
        network.mined(submitted.get(nonce));
      }
      assertThat(LedgerSettings.DEFAULT.finalityDepth()).isLessThan(20);
    }
    try (var network = open(directory)) {
      for (var each : submitted) {
        assertThat(now(network.ledger.transaction(each.hash()))).contains(each.transaction());
      }
      network.ledger.reorganise(new Reorganisation(1, 1, 0, 1));
      assertThat(now(network.ledger.transaction(submitted.get(19).hash()))).isEmpty();
      assertThat(now(network.ledger.transaction(submitted.get(18).hash()))).isPresent();
    }
  }

  @Test
  void aReorganisationOnDiskUndoesWhatItReplaces() {
    ContractAddress contract;
    try (var network = open(directory)) {
      contract = network.deployed();
      var transaction = SALLY.signed(0, make(contract, "a").endorsedBy(ALICE, BOB, CAROL));
      network.mined(transaction);
      network.ledger.reorganise(new Reorganisation(1, 1, 0, 1));
      assertThat(now(network.ledger.receipt(transaction.hash()))).isEmpty();
    }
    try (var network = open(directory)) {
      assertThat(now(network.ledger.nonce(SALLY.address()))).isZero();
      network.mined(SALLY.signed(0, make(contract, "a").endorsedBy(ALICE, BOB, CAROL)));
      assertThat(reason(network, 1, make(contract, "a"))).isEqualTo(RevertReason.INTENT_FULFILLED);
    }
  }

  @Test
  void twoLedgersCannotShareADirectory() {
    try (var network = open(directory)) {
      assertThat(network.head()).isZero();
      assertThatThrownBy(() -> open(directory)).isInstanceOf(LevelDbException.class);
    }
  }

  private static Intent make(ContractAddress contract, String name) {
    return Intent.on(contract, name).makes(name);
  }

  private static RevertReason reason(TestNetwork network, long nonce, Intent intent) {
    return ((Reverted) network.mined(SALLY.signed(nonce, intent.endorsedBy(ALICE, BOB, CAROL))))
        .reason();
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (var files = Files.list(from)) {
      for (var file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static TestNetwork open(Path directory) {
    return new TestNetwork(LedgerStorage.levelDb(directory), LedgerSettings.DEFAULT);
  }
}
