package dev.sequitur.ethereum;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.stream.Collectors.toSet;

import dev.sequitur.ethereum.ChainRpc.Call;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.GasMoney;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The accounts of a chain. Thread-safe; blocks nobody. */
final class ChainMoney implements GasMoney {
  private final ChainRpc rpc;
  private final ChainPool pool;
  private final EthereumLedger.Settings settings;
  private final Supplier<CompletionStage<BlockHeight>> head;
  private final LongSupplier baseFee;

  /**
   * @param head the newest block that the ledger shows, as it was found lately
   * @param baseFee what it has charged for a unit of gas
   */
  ChainMoney(
      ChainRpc rpc,
      ChainPool pool,
      EthereumLedger.Settings settings,
      Supplier<CompletionStage<BlockHeight>> head,
      LongSupplier baseFee) {
    this.rpc = rpc;
    this.pool = pool;
    this.settings = settings;
    this.head = head;
    this.baseFee = baseFee;
  }

  @Override
  public CompletionStage<Accounts> accounts(
      Optional<LedgerAddress> payer,
      List<LedgerAddress> keys,
      List<LedgerAddress> once,
      int confirmations) {
    return head.get()
        .thenApply(newest -> ChainJson.hex(Math.max(0, newest.value() - confirmations)))
        .thenCompose(
            at -> {
              var calls = new ArrayList<Call>();
              payer.ifPresent(account -> calls.add(nonce(account, at)));
              payer.ifPresent(account -> calls.add(balance(account, at)));
              keys.forEach(key -> calls.add(balance(key, at)));
              once.forEach(key -> calls.add(nonce(key, at)));
              return rpc.results(calls);
            })
        .thenApply(
            results -> {
              var numbers = results.stream().map(ChainJson::amount).iterator();
              long payerNonce = payer.isPresent() ? numbers.next().longValueExact() : 0;
              var payerBalance = payer.isPresent() ? numbers.next() : BigInteger.ZERO;
              var balances = new HashMap<LedgerAddress, BigInteger>();
              keys.forEach(key -> balances.put(key, numbers.next()));
              var used = once.stream().filter(key -> numbers.next().signum() > 0).collect(toSet());
              return new Accounts(payerNonce, payerBalance, balances, used, baseFee.getAsLong());
            });
  }

  private static Call nonce(LedgerAddress account, String at) {
    return Call.of("eth_getTransactionCount", account.value(), at);
  }

  private static Call balance(LedgerAddress account, String at) {
    return Call.of("eth_getBalance", account.value(), at);
  }

  @Override
  public CompletionStage<SubmitOutcome> transfer(GasTransfer transfer, Signer payer) {
    var unsigned =
        ChainTransaction.of(
            settings.legacy(),
            settings.chainId(),
            transfer.nonce(),
            transfer.fees(),
            GasTransfer.GAS,
            Bytes.hex(transfer.to().value()),
            transfer.amount(),
            Bytes.EMPTY);
    var raw = unsigned.signed(payer.signMessage(unsigned.unsigned()));
    var hash = new TransactionHash(Digests.keccak256(raw));
    return rpc.answers(List.of(Call.of("eth_sendRawTransaction", raw.toHex())))
        .thenCompose(
            answers ->
                pool.outcome(
                    hash,
                    transfer.fees(),
                    answers.get(0),
                    () -> completedFuture(transfer.nonce() + 1)));
  }
}
