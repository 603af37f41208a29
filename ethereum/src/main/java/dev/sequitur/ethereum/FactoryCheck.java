package dev.sequitur.ethereum;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.ethereum.ChainRpc.Answer;
import dev.sequitur.ethereum.ChainRpc.Call;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether there is a factory of groups where the configuration has one: else what makes groups is
 * sent to nobody, or to a contract of another kind, and nobody says so. It is asked for what its
 * groups are made of, and whether it takes calls as this version sends them: with terms that no
 * factory takes, so that its own error shows that it has read them. Asked until there is one.
 * Thread-safe; blocks nobody.
 */
final class FactoryCheck {
  private static final String IMPLEMENTATION = GroupContract.selector("implementation()").toHex();
  private static final String NO_MEMBERS =
      GroupContract.create(new Hash(0, 0, 0, 0), 1, 1, List.of()).toHex();
  private static final String BAD_TERMS = GroupContract.selector("BadTerms()").toHex();
  private static final int WORD_DIGITS = 64;
  private static final int ADDRESS_DIGITS = 40;

  private final ChainRpc rpc;
  private final LedgerAddress factory;
  private final AtomicBoolean mayAsk = new AtomicBoolean(true);
  private volatile Found found = Found.FACTORY;

  private enum Found {
    NOTHING,
    SOMETHING_ELSE,
    OF_ANOTHER_VERSION,
    FACTORY
  }

  FactoryCheck(ChainRpc rpc, LedgerAddress factory) {
    this.rpc = rpc;
    this.factory = factory;
  }

  /** One question at a time, and none once it was found. */
  void look() {
    if (mayAsk.compareAndSet(true, false)) {
      var unused =
          found()
              .thenAccept(now -> found = now)
              .whenComplete(
                  (done, failure) -> mayAsk.set(failure != null || found != Found.FACTORY));
    }
  }

  /** Whether there is a factory of groups, of this version, at an address. */
  static CompletionStage<Boolean> isFactory(ChainRpc rpc, LedgerAddress address) {
    return new FactoryCheck(rpc, address).found().thenApply(Found.FACTORY::equals);
  }

  private CompletionStage<Found> found() {
    return hasCode(factory.value())
        .thenCompose(there -> there ? kind() : completedFuture(Found.NOTHING));
  }

  private CompletionStage<Found> kind() {
    return rpc.answers(List.of(called(IMPLEMENTATION), called(NO_MEMBERS)))
        .thenCompose(
            answers ->
                implementation(settled(IMPLEMENTATION, answers.getFirst()))
                    .map(this::hasCode)
                    .orElseGet(() -> completedFuture(false))
                    .thenApply(
                        has ->
                            !has
                                ? Found.SOMETHING_ELSE
                                : takesTerms(settled(NO_MEMBERS, answers.getLast()))
                                    ? Found.FACTORY
                                    : Found.OF_ANOTHER_VERSION));
  }

  private CompletionStage<Boolean> hasCode(String address) {
    return rpc.ask("eth_getCode", address, "latest")
        .thenApply(code -> code.asText().length() > "0x".length());
  }

  private Call called(String data) {
    return Call.of("eth_call", Map.of("to", factory.value(), "data", data), "latest");
  }

  /** Fails unless it is what the contract said. */
  private Answer settled(String data, Answer answer) {
    if (answer instanceof Answer.Refusal refusal
        && !NodeRefusals.isSettled(called(data), refusal)) {
      throw new LedgerUnreachableException(refusal.message());
    }
    return answer;
  }

  /** Whatever else is there reverts, or returns something else than an address. */
  private static Optional<String> implementation(Answer answer) {
    return answer instanceof Answer.Result(var word) ? address(word.asText()) : Optional.empty();
  }

  private static boolean takesTerms(Answer answer) {
    return answer instanceof Answer.Refusal refusal && refusal.data().startsWith(BAD_TERMS);
  }

  private static Optional<String> address(String word) {
    var zeros = "0x" + "0".repeat(WORD_DIGITS - ADDRESS_DIGITS);
    return word.length() == "0x".length() + WORD_DIGITS && word.startsWith(zeros)
        ? Optional.of("0x" + word.substring(zeros.length()))
        : Optional.empty();
  }

  /** A sentence for the operator. */
  Optional<String> remark() {
    return switch (found) {
      case FACTORY -> Optional.empty();
      case NOTHING -> Optional.of(noGroup("There is no contract at %s on this chain"));
      case SOMETHING_ELSE ->
          Optional.of(noGroup("The contract at %s on this chain is no factory of groups"));
      case OF_ANOTHER_VERSION ->
          Optional.of(noGroup("The factory of groups at %s on this chain is none of this version"));
    };
  }

  private String noGroup(String why) {
    return (why
            + ", so no privacy group can be made: correct ledger.ethereum.factory, or run sequitur deploy-factory.")
        .formatted(factory);
  }
}
