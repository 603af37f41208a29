package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.NonceUsed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The base ledger as this node has indexed it. */
final class LedgerMethods {
  private final NodeContext context;

  LedgerMethods(NodeContext context) {
    this.context = context;
  }

  List<RpcMethod> methods() {
    return List.of(
        new RpcMethod(
            "eth_chainId",
            List.of(),
            "0x and hexadecimal digits",
            "The chain id of the base ledger: wallets and client libraries ask for it first.",
            true,
            call -> text("0x" + Long.toHexString(context.chainId()))),
        new RpcMethod(
            "net_version",
            List.of(),
            "decimal digits in a string",
            "The same chain id, as older client libraries ask for it.",
            true,
            call -> text(Long.toString(context.chainId()))),
        new RpcMethod(
            "bidx_getConfirmedBlockHeight",
            List.of(),
            "0x and hexadecimal digits, as clients of the field expect",
            "The newest final block that this node has indexed: coordinator selection goes by it.",
            true,
            call ->
                CompletableFuture.completedFuture(
                    TextNode.valueOf(
                        "0x" + Long.toHexString(context.node().blockHeight().value())))),
        new RpcMethod(
            "bidx_getBlockByNumber",
            List.of(Parameter.of("number", ParameterType.NUMBER, "the block's height")),
            "`{number, hash, timestamp}`, or null",
            "A final block.",
            true,
            this::block),
        new RpcMethod(
            "bidx_getTransactionByHash",
            List.of(Parameter.of("hash", ParameterType.HASH, "of the base-ledger transaction")),
            "the base-ledger transaction, or null",
            "A transaction in a block of this node's view; `contractAddress` if it made a"
                + " contract.",
            true,
            call ->
                context
                    .node()
                    .ledger()
                    .receipt(new TransactionHash(call.hash(0)))
                    .thenApply(
                        found ->
                            found
                                .<JsonNode>map(LedgerMethods::transaction)
                                .orElse(NullNode.instance))));
  }

  private static CompletionStage<JsonNode> text(String text) {
    return CompletableFuture.completedFuture(TextNode.valueOf(text));
  }

  private CompletionStage<JsonNode> block(Call call) {
    long number = call.number(0);
    if (number > context.node().blockHeight().value()) {
      return CompletableFuture.completedFuture(NullNode.instance);
    }
    return context
        .node()
        .ledger()
        .blocks(new BlockHeight(number), 1)
        .thenApply(
            blocks ->
                blocks.stream()
                    .filter(block -> block.height().value() == number)
                    .findFirst()
                    .<JsonNode>map(LedgerMethods::block)
                    .orElse(NullNode.instance));
  }

  private static ObjectNode block(Block block) {
    return JsonText.object()
        .put("number", block.height().value())
        .put("hash", block.hash().toString())
        .put("timestamp", block.timestamp().toString());
  }

  private static ObjectNode transaction(LedgerReceipt receipt) {
    var json =
        JsonText.object()
            .put("hash", receipt.hash().toString())
            .put("blockNumber", receipt.block().value())
            .put("transactionIndex", receipt.index())
            .put("from", receipt.signer().toString())
            .put("nonce", receipt.nonce());
    return switch (receipt.result()) {
      case Deployed deployed ->
          json.put("contractAddress", deployed.contract().toString()).put("result", "success");
      case Fulfilled fulfilled ->
          json.put("to", fulfilled.contract().toString()).put("result", "success");
      case Reverted reverted ->
          json.put("to", reverted.contract().toString())
              .put("result", "failure")
              .put("revertReason", reverted.reason().name());
      case NonceUsed ignored -> json.put("result", "success");
    };
  }
}
