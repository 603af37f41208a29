package dev.sequitur.simulation;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.GasMoney;
import dev.sequitur.protocol.port.PublicContracts;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The ledger as a running node sees it, unless it is cut off from it.
 *
 * @param watcher told of each call that reaches the ledger
 */
record LedgerLink(NodeLife node, Consumer<LedgerTransaction.Call> watcher) implements BaseLedger {
  /** A crash on the way back leaves what was done. */
  private <T> CompletionStage<T> ask(Supplier<T> what) {
    var answer = new CompletableFuture<T>();
    node.later(
        NodeLife.WORK,
        () -> {
          if (node.reachesLedger()) {
            var result = what.get();
            node.later(NodeLife.WORK, () -> answer.complete(result));
          } else {
            answer.completeExceptionally(new IllegalStateException("The ledger is out of reach."));
          }
        });
    return answer;
  }

  @Override
  public SignedLedgerTransaction sign(LedgerTransaction transaction, Signer signer) {
    return CanonicalSigning.sign(transaction, signer);
  }

  @Override
  public CompletionStage<List<SubmitOutcome>> submit(List<SignedLedgerTransaction> transactions) {
    return ask(
        () -> {
          var outcomes = new ArrayList<SubmitOutcome>();
          var nonces = new ArrayList<Long>();
          for (var each : transactions) {
            watcher.accept(each.transaction().call());
            outcomes.add(node.ledger().submit(each));
            nonces.add(each.transaction().nonce());
          }
          node.reach(new Moment.Submitted(node.name(), nonces));
          return outcomes;
        });
  }

  @Override
  public CompletionStage<Long> nonce(LedgerAddress signer) {
    return ask(() -> node.ledger().nonce(signer));
  }

  @Override
  public CompletionStage<Long> pendingNonce(LedgerAddress signer) {
    return ask(() -> node.ledger().pendingNonce(signer));
  }

  @Override
  public CompletionStage<Boolean> knows(TransactionHash hash) {
    return ask(() -> node.ledger().knows(hash));
  }

  @Override
  public CompletionStage<BlockHeight> head() {
    return ask(() -> new BlockHeight(node.home().head()));
  }

  @Override
  public CompletionStage<List<Block>> blocks(BlockHeight from, int limit) {
    return ask(() -> blocksUpTo(node.home().head(), from, limit));
  }

  private List<Block> blocksUpTo(long head, BlockHeight from, int limit) {
    var blocks = new ArrayList<Block>();
    for (long number = Math.max(1, from.value());
        number <= head && blocks.size() < limit;
        number++) {
      blocks.add(node.ledger().block(number));
    }
    return blocks;
  }

  @Override
  public CompletionStage<Optional<LedgerReceipt>> receipt(TransactionHash hash) {
    return ask(() -> node.ledger().receipt(hash).filter(this::isSeen));
  }

  @Override
  public CompletionStage<Optional<LedgerTransaction>> transaction(TransactionHash hash) {
    return ask(
        () ->
            node.ledger()
                .receipt(hash)
                .filter(this::isSeen)
                .map(receipt -> node.ledger().transaction(receipt)));
  }

  @Override
  public Optional<GasMoney> gasMoney() {
    return node.simulation().setup().funding().map(settings -> new Money());
  }

  /** What whoever sees to the money for gas asks. */
  private final class Money implements GasMoney {
    @Override
    public CompletionStage<Accounts> accounts(
        Optional<LedgerAddress> payer,
        List<LedgerAddress> keys,
        List<LedgerAddress> once,
        int confirmations) {
      return ask(
          () -> {
            var ledger = node.ledger();
            long height = Math.max(0, node.home().head() - confirmations);
            var balances = new HashMap<LedgerAddress, BigInteger>();
            keys.forEach(key -> balances.put(key, ledger.balance(key, height)));
            return new Accounts(
                payer.map(account -> ledger.nonce(account, height)).orElse(0L),
                payer.map(account -> ledger.balance(account, height)).orElse(BigInteger.ZERO),
                balances,
                once.stream()
                    .filter(key -> ledger.nonce(key, height) > 0)
                    .collect(Collectors.toSet()));
          });
    }

    @Override
    public CompletionStage<SubmitOutcome> transfer(GasTransfer transfer, Signer payer) {
      var to = Optional.of(new ContractAddress(transfer.to().value()));
      var signed =
          sign(
              new LedgerTransaction(
                  SimulatedKeys.SIGNATURES.address(payer.verifier()),
                  transfer.nonce(),
                  transfer.fees(),
                  GasTransfer.GAS,
                  new PublicCall(to, Bytes.EMPTY, transfer.amount())),
              payer);
      return node.simulation()
          .fundings()
          .answer(
              node,
              ask(
                  () -> {
                    var outcome = node.ledger().submit(signed);
                    node.reach(new Moment.Paid(node.name(), transfer));
                    return outcome;
                  }));
    }
  }

  @Override
  public Optional<PublicContracts> contracts() {
    return Optional.of(new Contracts());
  }

  /** What a public transaction's submitter asks: its gas is given, and no contract tells events. */
  private final class Contracts implements PublicContracts {
    /** One that is behind does not know the block. */
    @Override
    public CompletionStage<Long> nonce(LedgerAddress signer, BlockHeight upTo) {
      return ask(() ->
              upTo.value() <= node.home().head()
                  ? Optional.of(node.ledger().nonce(signer, upTo.value()))
                  : Optional.<Long>empty())
          .thenApply(found -> found.orElseThrow(() -> new IllegalStateException("No " + upTo)));
    }

    @Override
    public String reason(Bytes revertData, Optional<Bytes> abi) {
      return "The contract reverted, and said " + revertData.toUtf8() + ".";
    }

    @Override
    public CompletionStage<Estimate> estimate(LedgerAddress from, PublicCall call) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<CallOutcome> call(LedgerAddress from, PublicCall call) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<BigInteger> balance(LedgerAddress account) {
      return ask(() -> node.ledger().balance(account));
    }

    @Override
    public CompletionStage<Long> mostGas() {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<Event>> events(TransactionHash hash, BlockHeight block) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<Placed>> events(Wanted wanted) {
      throw new UnsupportedOperationException();
    }
  }

  private boolean isSeen(LedgerReceipt receipt) {
    return receipt.block().value() <= node.home().head();
  }

  @Override
  public void close() {}
}
