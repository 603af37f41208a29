package dev.sequitur.ethereum;

import dev.sequitur.ethereum.ChainRpc.Answer;
import dev.sequitur.ethereum.ChainRpc.Call;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.funding.GasTransfer;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.LedgerAddress;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.GasMoney;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The accounts of a chain. Thread-safe; blocks nobody. */
final class ChainMoney implements GasMoney {
  private final ChainRpc rpc;
  private final long chainId;
  private final Supplier<CompletionStage<BlockHeight>> head;

  /**
   * @param head the newest block that the ledger shows
   */
  ChainMoney(ChainRpc rpc, long chainId, Supplier<CompletionStage<BlockHeight>> head) {
    this.rpc = rpc;
    this.chainId = chainId;
    this.head = head;
  }

  @Override
  public CompletionStage<Accounts> accounts(
      Optional<LedgerAddress> payer, List<LedgerAddress> keys, int confirmations) {
    return head.get()
        .thenCompose(
            newest -> {
              var at = ChainJson.hex(Math.max(0, newest.value() - confirmations));
              var calls = new ArrayList<Call>();
              payer.ifPresent(
                  account -> {
                    calls.add(Call.of("eth_getTransactionCount", account.value(), at));
                    calls.add(Call.of("eth_getBalance", account.value(), at));
                  });
              keys.forEach(key -> calls.add(Call.of("eth_getBalance", key.value(), at)));
              return rpc.results(calls);
            })
        .thenApply(
            results -> {
              var numbers = results.stream().map(ChainJson::number).toList();
              int first = payer.isPresent() ? 2 : 0;
              var balances = new HashMap<LedgerAddress, Long>();
              for (int i = 0; i < keys.size(); i++) {
                balances.put(keys.get(i), numbers.get(first + i));
              }
              return new Accounts(
                  first == 0 ? 0 : numbers.get(0), first == 0 ? 0 : numbers.get(1), balances);
            });
  }

  @Override
  public CompletionStage<SubmitOutcome> transfer(GasTransfer transfer, Signer payer) {
    var unsigned =
        new FeeMarketTransaction(
            chainId,
            transfer.nonce(),
            transfer.fees(),
            GasTransfer.GAS,
            Bytes.hex(transfer.to().value()),
            transfer.amount(),
            Bytes.EMPTY);
    var raw = unsigned.signed(payer.sign(unsigned.digest()));
    var hash = new TransactionHash(Digests.keccak256(raw));
    return rpc.answers(List.of(Call.of("eth_sendRawTransaction", raw.toHex())))
        .thenApply(
            answers ->
                switch (answers.get(0)) {
                  case Answer.Result ignored -> new SubmitOutcome.Pooled(hash);
                  case Answer.Refusal(var code, var words, var data) ->
                      // A used nonce is seen in the next final block.
                      PoolAnswers.outcome(hash, transfer.fees(), words)
                          .orElseThrow(
                              () ->
                                  new LedgerUnreachableException(
                                      "The chain's node refuses a transfer: %s (%d)."
                                          .formatted(words, code)));
                });
  }
}
