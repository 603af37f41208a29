package dev.sequitur.protocol.port;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.GROUP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.Domain.Objection;
import dev.sequitur.protocol.port.NodeWriters.ClusterView;
import dev.sequitur.protocol.transaction.PrivateState;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What holds of a port whose implementation says nothing of it. */
class PortDefaultsTest {
  /** An implementation that has these answers, by the method's name, and the defaults. */
  private static <T> T answering(Class<T> port, Map<String, Object> answers) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            method.isDefault()
                ? InvocationHandler.invokeDefault(proxy, method, arguments)
                : answers.get(method.getName());
    return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, handler));
  }

  @Test
  void aStateIsGenuineInTheContractThatItNamesAndInNoOther() {
    var domain = answering(Domain.class, Map.of());
    var state = Contract.state("coin", A);
    var elsewhere =
        new PrivateState(
            state.id(),
            new ContractAddress("0x" + "cd".repeat(20)),
            state.schema(),
            state.lookup(),
            state.data(),
            state.distribution());

    assertThat(domain.isGenuine(GROUP, state)).isTrue();
    assertThat(domain.isGenuine(GROUP, elsewhere)).isFalse();
  }

  @Test
  void anyIntentMayHelpAnother() {
    var domain = answering(Domain.class, Map.of());
    var objection = new Objection("No money.", true);

    assertThat(
            domain.mayHelp(
                GROUP, Contract.transaction(A, 1), objection, Contract.transaction(A, 2)))
        .isTrue();
    assertThat(domain.schemas()).isEmpty();
  }

  @Test
  void aDomainThatSaysNothingOfItHasNoConstructorAndNoReceipts() {
    var domain = answering(Domain.class, Map.of("name", "votes"));

    assertThat(domain.construct(Contract.transaction(A, 1).from(), Bytes.utf8("{}")))
        .isEqualTo(
            new Domain.Construction.Refused(
                "The domain 'votes' has no constructor: make its groups by pgroup_createGroup."));
    assertThat(domain.calledPublicly()).isEmpty();
    assertThat(domain.calledBy(Bytes.EMPTY)).isEmpty();
    assertThat(
            domain.receipt(
                GROUP, Optional.empty(), new Domain.Changes(List.of(), List.of(), List.of())))
        .isEmpty();
  }

  @Test
  void aStoreOfOneJvmLetsItInAndHasNobodyToTakeOverFrom() {
    var alone = new ClusterView(true, Set.of("it"), Set.of("it"));

    assertThat(NodeWriters.ALONE.others()).isCompletedWithValue(Set.of());
    assertThat(NodeWriters.ALONE.enter(alone)).isCompletedWithValue(true);
    assertThat(NodeWriters.ALONE.end("nobody")).isCompletedWithValue(null);
    var store = answering(NodeStore.class, Map.of());
    assertThat(store.hindrance()).isCompletedWithValue(Optional.empty());
  }

  @Test
  void aLedgerBeginsWithBlockOneTellsWhatGroupsBeginWithAndKnowsNoMoney() {
    var ledger = answering(BaseLedger.class, Map.of());

    assertThat(ledger.firstBlock()).isCompletedWithValue(new BlockHeight(1));
    assertThat(ledger.tellsGenesis()).isTrue();
    assertThat(ledger.remarks()).isEmpty();
    assertThat(ledger.gasMoney()).isEmpty();
    assertThat(ledger.contracts()).isEmpty();
  }

  @Test
  void aKeySignsForTheLedgerAsItSignsOtherwise() {
    var verifier = new Verifier(Bytes.of(new byte[33]));
    var signed = Bytes.utf8("signed");
    var keys = answering(Keys.class, Map.of("verifier", verifier, "sign", signed));

    assertThat(keys.signer("name").verifier()).isEqualTo(verifier);
    assertThat(keys.signer("name").sign(Contract.hash("digest"))).isEqualTo(signed);
  }

  @Test
  void aKeyThatIsElsewhereSignsTheMessageForTheLedgerAndItsRefusalIsTold() {
    var message = Bytes.utf8("a transaction");
    var away = new IllegalStateException("It is silent.");

    var signer = new Elsewhere(CompletableFuture.completedFuture(message)).signer("name");
    assertThat(signer.isHere()).isFalse();
    assertThat(signer.signMessage(message)).isEqualTo(message);

    var silent = new Elsewhere(CompletableFuture.failedFuture(away)).signer("name");
    assertThatThrownBy(() -> silent.signMessage(message)).isSameAs(away);
  }

  /**
   * Keys that another has.
   *
   * @param answer to what is to be signed
   */
  private record Elsewhere(CompletionStage<Bytes> answer) implements Keys {
    @Override
    public Verifier verifier(String name) {
      return new Verifier(Bytes.of(new byte[33]));
    }

    @Override
    public boolean areHere(String name) {
      return false;
    }

    @Override
    public Bytes sign(String name, Hash digest) {
      throw new IllegalStateException("It is not here.");
    }

    @Override
    public CompletionStage<Bytes> signed(String name, Verifier key, Bytes message) {
      return answer;
    }
  }

  @Test
  void whoTakesPartInNoGroupHasNothingToTellALedger() {
    assertThat(KnownGroups.NONE.group(ADDRESS)).isEmpty();
    assertThat(KnownGroups.NONE.genesis(Contract.hash("genesis")))
        .isCompletedWithValue(Optional.empty());
    assertThat(KnownGroups.NONE.publicSigners()).isCompletedWithValue(Set.of());
  }

  @Test
  void linksAreKnownToWhoHasThem() {
    assertThat(answering(Transport.class, Map.of()).links()).isEmpty();
  }
}
