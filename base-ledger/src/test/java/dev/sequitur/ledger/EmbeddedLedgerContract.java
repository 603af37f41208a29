package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.BOB;
import static dev.sequitur.ledger.TestNetwork.CAROL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.BaseLedgerContract;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.transaction.Signature;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is the same for every way to an embedded ledger. */
public abstract class EmbeddedLedgerContract extends BaseLedgerContract {
  private TestNetwork network;
  private BaseLedger ledger;
  private ContractAddress contract;

  protected abstract LedgerStorage storage();

  /** What is tested: the ledger itself, or a way to it. */
  protected BaseLedger through(TestNetwork opened) {
    return opened.ledger;
  }

  @BeforeEach
  void open() {
    network = new TestNetwork(storage(), LedgerSettings.DEFAULT);
    contract = network.deployed();
    ledger = through(network);
  }

  @Test
  void itHasAnIndexOfNonces() {
    assertThat(ledger.nonces()).isPresent();
  }

  @AfterEach
  void close() {
    ledger.close();
    network.close();
  }

  @Override
  protected BaseLedger ledger() {
    return ledger;
  }

  @Override
  protected Keys keys() {
    return new PartyKeys();
  }

  @Override
  protected LedgerAddress address(Signer signer) {
    return new StubSignatures().address(signer.verifier());
  }

  @Override
  protected ContractAddress contract() {
    return contract;
  }

  @Override
  protected List<Signature> endorsements(Hash digest) {
    return Stream.of(ALICE, BOB, CAROL).map(party -> party.sign(digest)).toList();
  }

  @Override
  protected void cut() {
    network.time.advance(Duration.ofSeconds(1));
    network.cut();
  }

  @Override
  protected void replaceNewest() {
    network.ledger.reorganise(new Reorganisation(1, 1, 0, 0));
  }

  @Override
  protected <T> T await(CompletionStage<T> answer) {
    return TestNetwork.now(answer);
  }

  private static final class PartyKeys implements Keys {
    @Override
    public Verifier verifier(String name) {
      return Party.named(name).verifier();
    }

    @Override
    public Bytes sign(String name, Hash digest) {
      return StubSignatures.sign(verifier(name), digest);
    }
  }
}
