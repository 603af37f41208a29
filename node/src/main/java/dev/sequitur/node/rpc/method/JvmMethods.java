package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.cluster.placement.Drain;
import dev.sequitur.cluster.placement.Draining;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.sequencer.view.JvmView;
import dev.sequitur.sequencer.view.JvmView.Share;
import dev.sequitur.sequencer.view.JvmView.Told;
import dev.sequitur.sequencer.view.Whereabouts;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The JVMs of the node: how each is, and how one leaves. */
public record JvmMethods(NodeContext context) {
  private static final String DRAIN = "node_drain";

  /** Those that are of use to who waits for a JVM to leave. */
  private static final Set<String> WHILE_LEAVING = Set.of(DRAIN, "node_jvms", "node_diagnose");

  private static final ObjectShape<Map.Entry<String, Share>> KIND =
      ObjectShape.<Map.Entry<String, Share>>named("JvmShare")
          .with("kind", Formats.TEXT, Map.Entry::getKey, "of entities")
          .with("shards", Shape.NUMBER, kind -> kind.getValue().shards())
          .with("entities", Shape.NUMBER, kind -> kind.getValue().entities(), "in memory")
          .with(
              "toGo",
              Shape.NUMBER,
              kind -> kind.getValue().moves().toGo(),
              "shards that are to move to another JVM")
          .with(
              "toCome",
              Shape.NUMBER,
              kind -> kind.getValue().moves().toCome(),
              "shards that are to move here");

  private static final ObjectShape<JvmView> JVM =
      ObjectShape.<JvmView>named("Jvm")
          .with("jvm", Formats.TEXT, JvmView::jvm, "its address in the node's cluster")
          .with("asked", Formats.BOOLEAN, JvmView::asked, "whether it is the one that answers")
          .with("state", Formats.TEXT, JvmView::state, "`up`, or how it joins or leaves")
          .with(
              "answers",
              Formats.BOOLEAN,
              jvm -> jvm.told().isPresent(),
              "within three seconds; what follows is left out if not")
          .maybe("joined", Formats.TIME, jvm -> jvm.told().map(Told::joined))
          .maybe("kinds", KIND.list(), jvm -> jvm.told().map(JvmMethods::kinds))
          .maybe(
              "singletons",
              Formats.TEXT.list(),
              jvm -> jvm.told().map(Told::singletons),
              "what it does for the whole node")
          .maybe(
              "received",
              Shape.NUMBER,
              jvm -> jvm.told().map(Told::received),
              "envelopes from other nodes, since its start")
          .maybe(
              "sent",
              Shape.NUMBER,
              jvm -> jvm.told().map(Told::sent),
              "envelopes to other nodes, since its start")
          .maybe(
              "writeMillis",
              Shape.NUMBER,
              jvm -> jvm.told().map(told -> told.writing().toMillis()),
              "how long writes to the disk or the database took, since its start")
          .maybe(
              "passedOn",
              Shape.NUMBER,
              jvm -> jvm.told().map(Told::passedOn),
              "messages of other nodes that went on to the JVM that has their contract, since its start");

  private static final ObjectShape<Whereabouts.Awake> AWAKE =
      ObjectShape.<Whereabouts.Awake>named("AwakeEntity")
          .with("kind", Formats.TEXT, Whereabouts.Awake::kind)
          .with("jvm", Formats.TEXT, Whereabouts.Awake::jvm, "its address, as node_jvms has it")
          .with("since", Formats.TIME, Whereabouts.Awake::since);

  /** Also of queues. */
  public static final ObjectShape<Whereabouts> WHEREABOUTS =
      ObjectShape.<Whereabouts>named("Whereabouts")
          .with("awake", AWAKE.list(), Whereabouts::awake, "empty if none is in memory")
          .with(
              "silent",
              Formats.TEXT.list(),
              Whereabouts::silent,
              "JVMs that did not answer within three seconds");

  private static List<Map.Entry<String, Share>> kinds(Told told) {
    return List.copyOf(new TreeMap<>(told.kinds()).entrySet());
  }

  private static final ObjectShape<Draining> DRAINING =
      ObjectShape.<Draining>named("Drain")
          .with(
              "step",
              Shape.among(Drain.Step.class, step -> step.name().toLowerCase(Locale.ROOT)),
              Draining::step,
              "what the JVM does now")
          .with("otherJvms", Shape.NUMBER, Draining::others, "to whom callers can turn")
          .with(
              "notice",
              Formats.TEXT,
              draining -> draining.limits().notice().toString(),
              "in which callers are served still, as ISO 8601 has it")
          .with(
              "atMost",
              Formats.TEXT,
              draining -> draining.limits().atMost().toString(),
              "until shards are handed over, the notice included");

  /** Whether a method is answered by a JVM that sends callers elsewhere. */
  public static boolean servesWhileLeaving(RpcMethod method) {
    return WHILE_LEAVING.contains(method.name());
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "node_jvms",
            List.of(),
            JVM.list(),
            "an array of `{jvm, asked, state, answers, joined, kinds, singletons, received, sent, writeMillis, passedOn}`",
            "The JVMs of the node, each with what it has: shards and entities by kind, with what is"
                + " to move; what it does for the whole node; what has come and gone since its start."
                + " The JVM that is asked asks all others, and waits three seconds.",
            call -> context.node().jvms().all()),
        RpcMethod.of(
            MethodGroup.OPERATE,
            DRAIN,
            List.of(),
            DRAINING,
            "`{step, otherJvms, notice, atMost}`",
            "Has the JVM that is asked leave its node and end, as SIGTERM does: `/health/ready` says"
                + " no at once; after the notice callers are refused (SQ010907) and have to turn to"
                + " another JVM; once it has no coordinator in memory, a range of blocks ends, or the"
                + " time is over, it hands its shards over and the process ends with code 0. To ask"
                + " again changes nothing. A JVM that is the node's only one ends at once.",
            call -> completedFuture(drained())));
  }

  private Draining drained() {
    var draining = context.draining();
    if (!draining.isServed()) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          "This process runs more than a JVM of a node, and does not end for one: stop it by a signal.");
    }
    draining.begin();
    return draining;
  }
}
