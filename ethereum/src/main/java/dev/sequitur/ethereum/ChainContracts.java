package dev.sequitur.ethereum;

import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ChainRpc.Answer;
import dev.sequitur.ethereum.ChainRpc.Call;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.port.PublicContracts;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Contracts of any kind on a chain. Thread-safe; blocks nobody. */
final class ChainContracts implements PublicContracts {
  /** Between now and its block others may change what a call comes upon. */
  private static final int MARGIN_PERCENT = 125;

  private final ChainRpc rpc;
  private final ChainRpc callers;
  private final ChainLogs logs;
  private final GroupCalls calls;

  /**
   * @param rpc for what the node itself waits for
   * @param callers for what its callers ask
   */
  ChainContracts(ChainRpc rpc, ChainRpc callers, GroupCalls calls) {
    this.rpc = rpc;
    this.callers = callers;
    this.logs = new ChainLogs(callers);
    this.calls = calls;
  }

  @Override
  public Optional<Bytes> fulfilling(PreparedTransaction prepared) {
    return calls.fulfilling(prepared);
  }

  @Override
  public CompletionStage<Estimate> estimate(LedgerAddress from, PublicCall call) {
    var asked = Call.of("eth_estimateGas", asJson(from, call));
    return callers
        .answers(List.of(asked))
        .thenApply(
            answers ->
                switch (answers.getFirst()) {
                  case Answer.Result(var gas) ->
                      new Estimate.Gas(ChainJson.number(gas) * MARGIN_PERCENT / 100);
                  case Answer.Refusal(var code, var message, var data) ->
                      new Estimate.Fails(bytes(data), message + ".");
                });
  }

  @Override
  public CompletionStage<CallOutcome> call(LedgerAddress from, PublicCall call) {
    return callers
        .answers(List.of(Call.of("eth_call", asJson(from, call), "latest")))
        .thenApply(
            answers ->
                switch (answers.getFirst()) {
                  case Answer.Result(var result) ->
                      new CallOutcome.Returned(bytes(result.asText("")));
                  case Answer.Refusal(var code, var message, var data) ->
                      new CallOutcome.Failed(bytes(data), message + ".");
                });
  }

  @Override
  public CompletionStage<Long> mostGas() {
    return callers
        .ask("eth_getBlockByNumber", "latest", false)
        .thenApply(block -> ChainJson.number(block, "gasLimit"));
  }

  @Override
  public CompletionStage<BigInteger> balance(LedgerAddress account) {
    return rpc.ask("eth_getBalance", account.value(), "latest").thenApply(ChainJson::amount);
  }

  @Override
  public CompletionStage<Long> nonce(LedgerAddress signer, BlockHeight upTo) {
    return rpc.ask("eth_getTransactionCount", signer.value(), ChainJson.hex(upTo.value()))
        .thenApply(ChainJson::number);
  }

  private static Map<String, String> asJson(LedgerAddress from, PublicCall call) {
    var json = new LinkedHashMap<String, String>();
    json.put("from", from.value());
    call.to().ifPresent(to -> json.put("to", to.value()));
    json.put("data", call.data().toHex());
    json.put("value", "0x" + call.value().toString(16));
    return json;
  }

  /** What a contract said; nodes say other things there too. */
  static Bytes bytes(String data) {
    try {
      return data.startsWith("0x") ? Bytes.hex(data) : Bytes.EMPTY;
    } catch (IllegalArgumentException e) {
      return Bytes.EMPTY;
    }
  }

  @Override
  public String reason(Bytes revertData, Optional<Bytes> abi) {
    return abi.map(json -> ContractAbi.read(json.toUtf8()).error(revertData))
        .orElseGet(() -> ContractAbi.errorOfSolidity(revertData))
        .map(meant -> "The contract reverted: " + meant)
        .orElseGet(() -> "The contract reverted, and said " + revertData.toHex() + ".");
  }

  @Override
  public CompletionStage<List<Event>> events(TransactionHash hash, BlockHeight block) {
    return callers
        .results(List.of(Call.ofWhatIsThere("eth_getTransactionReceipt", hash.toString())))
        .thenCompose(
            receipts -> {
              var receipt = receipts.getFirst();
              if (receipt.isNull()) {
                return eventsOfBlock(hash, block);
              }
              var events = new ArrayList<Event>();
              receipt.path("logs").forEach(log -> events.add(event(log)));
              return CompletableFuture.completedFuture(events);
            });
  }

  /** Nodes forget by which hash an old transaction is found, and have the logs of its block. */
  private CompletionStage<List<Event>> eventsOfBlock(TransactionHash hash, BlockHeight block) {
    var height = block.value();
    return logs.read(new ChainLogs.Wanted(height, height, Set.of(), Set.of()))
        .thenApply(
            read -> {
              if (!has(read.last(), hash)) {
                throw new LedgerUnreachableException(
                    "The chain's node has another block %d.".formatted(height));
              }
              return read.logs().stream()
                  .map(ChainContracts::placed)
                  .filter(placed -> placed.transaction().equals(hash))
                  .map(Placed::event)
                  .toList();
            })
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    Answers.cause(failure) instanceof LedgerUnreachableException cause
                        ? new LedgerUnreachableException(
                            "The chain's nodes do not have the receipt of %s, and not the logs of its block: %s"
                                .formatted(hash, cause.getMessage()))
                        : failure));
  }

  private static boolean has(JsonNode block, TransactionHash hash) {
    for (var each : block.path("transactions")) {
      if (each.asText().equalsIgnoreCase(hash.toString())) {
        return true;
      }
    }
    return false;
  }

  private static Event event(JsonNode log) {
    var topics = new ArrayList<Bytes>();
    log.path("topics").forEach(topic -> topics.add(Bytes.hex(topic.asText())));
    return new Event(
        new ContractAddress(ChainJson.text(log, "address")),
        (int) ChainJson.number(log, "logIndex"),
        topics,
        ChainJson.bytes(log, "data"));
  }

  @Override
  public CompletionStage<List<Placed>> events(Wanted wanted) {
    var asked =
        new ChainLogs.Wanted(
            wanted.first().value(),
            wanted.last().value(),
            wanted.contracts().stream().map(it -> Bytes.hex(it.value())).collect(toSet()),
            wanted.signatures());
    return logs.read(asked)
        .thenApply(read -> read.logs().stream().map(ChainContracts::placed).toList());
  }

  private static Placed placed(JsonNode log) {
    return new Placed(
        new BlockHeight(ChainJson.number(log, "blockNumber")),
        (int) ChainJson.number(log, "transactionIndex"),
        new TransactionHash(ChainJson.hash(log, "transactionHash")),
        event(log));
  }
}
