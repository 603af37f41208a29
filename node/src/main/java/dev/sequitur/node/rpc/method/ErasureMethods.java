package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.distribution.Erased;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.message.StateErasure;
import dev.sequitur.protocol.port.Answers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What callers have erased for good, here and at other members (ROM-7). */
record ErasureMethods(NodeContext context) {
  private static final Field<List<Hash>> STATES =
      Field.of(
          "states",
          Formats.HASH.list(StateErasure.MOST),
          "the ids of 1 to %d states, none of which is unspent".formatted(StateErasure.MOST));

  private static final Shape<NodeName> NODE = Formats.TEXT.of(NodeName::value);

  private static final ObjectShape<Erased.Demand> DEMAND =
      ObjectShape.<Erased.Demand>named("Erasure")
          .with("at", Formats.TIME, Erased.Demand::at, "when it was called for first")
          .with(
              "states",
              Formats.HASH.list(),
              it -> it.states().stream().map(StateId::value).toList())
          .with("open", NODE.list(), Erased.Demand::open, "members that have not answered")
          .with("erased", NODE.list(), Erased.Demand::erased, "members that have erased it")
          .with(
              "refused",
              NODE.list(),
              Erased.Demand::refused,
              "members that do not erase at this node's request");

  /** As many as an answer has room for whatever they name. */
  private static final int MOST = 100;

  private static final String LIMITS = "a whole number from 1 to " + MOST;

  private static final Field<Integer> LIMIT =
      Field.or(
          "limit",
          Format.of(LIMITS, Shape.NUMBER.of(Integer::longValue), ErasureMethods::limit),
          MOST,
          "a page has at most so many");

  private static final Field<Erased.Place> AFTER =
      Field.optional(
          "after",
          Format.ofText(
              "the place of an erasure",
              Formats.TEXT.of(Erased.Place::toString),
              Erased.Place::parse),
          "the `next` of the page before");

  private static final ObjectShape<Erased.Page> PAGE =
      ObjectShape.<Erased.Page>named("ErasurePage")
          .with("erasures", DEMAND.list(), Erased.Page::demands)
          .with(
              "next",
              Formats.TEXT.<Erased.Place>of(Erased.Place::toString).orNull(),
              Erased.Page::next,
              "null on the last page");

  private static int limit(String path, JsonNode node) {
    long limit = Formats.NUMBER.read(path, node);
    if (limit < 1 || limit > MOST) {
      throw new RpcFailure(ErrorCode.WRONG_TYPE, "%s must be %s.".formatted(path, LIMITS));
    }
    return (int) limit;
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.of(
            MethodGroup.ERASE,
            "pstate_eraseContents",
            List.of(GroupMethods.ADDRESS, STATES),
            DEMAND.orNull(),
            "`{at, states, open, erased, refused}`, or null if this node is not in the group",
            "Erases the contents of states for good: on this node, and on the nodes of the other"
                + " members that do so at its request (`room.erase-for` of their configuration)."
                + " That there were the states stays. Called again, it asks those once more who"
                + " have not erased them. What backups have is erased as they are replaced.",
            this::erase),
        RpcMethod.reading(
            "pstate_listErasures",
            List.of(GroupMethods.ADDRESS, LIMIT, AFTER),
            PAGE.orNull(),
            "`{erasures, next}`, or null if this node is not in the group",
            "What callers of this node have had erased of a group, the oldest first, and which"
                + " members have answered. `next` is null on the last page; a page may be short and"
                + " not be the last.",
            call ->
                Answers.ifThere(
                    context.node().group(call.get(GroupMethods.ADDRESS)),
                    group ->
                        context
                            .node()
                            .erasures(
                                call.get(GroupMethods.ADDRESS),
                                call.find(AFTER),
                                call.get(LIMIT)))));
  }

  private CompletionStage<Optional<Erased.Demand>> erase(Call call) {
    var contract = call.get(GroupMethods.ADDRESS);
    var states = call.get(STATES).stream().map(StateId::new).distinct().toList();
    if (states.isEmpty()) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE, call.path(STATES) + " has 1 to " + StateErasure.MOST + " ids.");
    }
    return Answers.ifThere(
        context.node().group(contract),
        group ->
            context
                .node()
                .erase(contract, states)
                .thenApply(
                    answer ->
                        answer
                            .demand()
                            .orElseThrow(
                                () ->
                                    new RpcFailure(
                                        ErrorCode.NOT_ERASED, answer.refusal().orElseThrow()))));
  }
}
