package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ContractAbi;
import dev.sequitur.ethereum.ValueFormat;
import dev.sequitur.json.Choice;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.port.IntentRules;
import dev.sequitur.protocol.port.PublicContracts;
import dev.sequitur.protocol.port.PublicContracts.CallOutcome;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** {@code ptx_call}: asks, and leaves nothing. */
record CallMethods(NodeContext context) {
  private static final String LATEST = "latest";

  /** For whom a contract takes who does not say who he is. */
  private static final LedgerAddress NOBODY = new LedgerAddress("0x" + "0".repeat(40));

  private static final Field<String> BLOCK =
      Field.or("block", Formats.TEXT, LATEST, "`latest`: no other is served");

  private static final Field<Choice<TransactionKind>> CALL =
      Field.of(
          "call",
          Choice.by(
              "type",
              EnumSet.allOf(TransactionKind.class),
              kind ->
                  switch (kind) {
                    case PRIVATE ->
                        kind.fields().named("CallRequest").with(AbiFormats.DATA_FORMAT, BLOCK);
                    case PUBLIC ->
                        PublicDraft.ASKED
                            .named("PublicCallRequest")
                            .with(AbiFormats.DATA_FORMAT, BLOCK);
                  }),
          "the call");

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "ptx_call",
            List.of(CALL),
            Shape.ANY,
            "what the domain answers, or what the contract returns",
            "A read-only call. Private: to the domain of a privacy group, on the confirmed states that"
                + " this node holds. Public: to a contract of the base ledger as it is in the newest"
                + " block; what it returns comes by name if `abi` or `abiReference` was sent, else in hex.",
            call -> ask(call.exchange().caller(), call.get(CALL))));
  }

  private CompletionStage<JsonNode> ask(Principal caller, Choice<TransactionKind> choice) {
    var sent = choice.sent();
    if (!sent.get(BLOCK).equals(LATEST)) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          sent.path(BLOCK) + " must be latest: no older block is asked. Leave it out.");
    }
    return switch (choice.kind()) {
      case PRIVATE -> askDomain(sent);
      case PUBLIC -> askContract(caller, sent);
    };
  }

  private CompletionStage<JsonNode> askDomain(Sent sent) {
    if (!AbiFormats.of(sent.get(AbiFormats.DATA_FORMAT)).equals(ValueFormat.STANDARD)) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          sent.path(AbiFormats.DATA_FORMAT)
              + " is for calls of public contracts: a domain answers in its own JSON. Leave it out.");
    }
    var asked = IntentDraft.ofTransaction(sent, context.node().name(), SubmitMode.AUTO);
    var group =
        context.node().group(asked.to()).orElseThrow(() -> IntentRules.unknownGroup(asked.to()));
    if (!asked.domain().orElse(group.domain()).equals(group.domain())) {
      throw new RpcFailure(
          ErrorCode.NODE_OTHER_DOMAIN,
          "The group is of the domain %s. Name that one, or leave domain out."
              .formatted(group.domain()));
    }
    return DomainCalls.ask(context, asked.to(), asked.from(), asked.function(), asked.data());
  }

  private CompletionStage<JsonNode> askContract(Principal caller, Sent sent) {
    var contracts = context.node().ledger().contracts().orElseThrow(IntentRules::noContracts);
    return AbiReferences.in(context.store(), caller, List.of(sent))
        .thenCompose(abis -> askContract(sent, contracts, abis));
  }

  private CompletionStage<JsonNode> askContract(
      Sent sent, PublicContracts contracts, AbiReferences abis) {
    var asked = PublicDraft.asked(sent, abis);
    var format = AbiFormats.of(sent.get(AbiFormats.DATA_FORMAT));
    var from =
        PublicDraft.asking(sent, context.node().name())
            .map(identity -> context.node().keys().account(identity.name()))
            .map(verifier -> new LedgerAddress(VerifierTypes.ADDRESS.render(verifier)))
            .orElse(NOBODY);
    return contracts
        .call(from, asked.call())
        .thenApply(
            outcome ->
                switch (outcome) {
                  case CallOutcome.Returned(var result) -> returned(asked.source(), result, format);
                  case CallOutcome.Failed(var said, var reason) ->
                      throw new RpcFailure(
                          ErrorCode.CALL_REFUSED,
                          said.isEmpty()
                              ? "The contract could not be asked: " + reason
                              : contracts.reason(said, asked.source().abi()));
                });
  }

  private static JsonNode returned(
      PublicTransaction.Source source, Bytes result, ValueFormat format) {
    if (source.abi().isEmpty()) {
      return Formats.HEX.write(result);
    }
    try {
      return ContractAbi.read(source.abi().get().toUtf8())
          .result(source.function(), result, format);
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(ErrorCode.CALL_REFUSED, e.getMessage());
    }
  }
}
