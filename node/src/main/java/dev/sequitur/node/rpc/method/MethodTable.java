package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.text.NearestName;
import dev.sequitur.scheduler.QueueName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** All methods by name, in the order of the reference page. */
public final class MethodTable {
  private final Map<String, RpcMethod> byName;

  private MethodTable(Map<String, RpcMethod> byName) {
    this.byName = byName;
  }

  /**
   * The methods of one node.
   *
   * @param schedules those of its schedules
   */
  public static MethodTable of(NodeContext context, List<RpcMethod> schedules) {
    var methods = new ArrayList<RpcMethod>();
    methods.addAll(new SendMethods(context).methods());
    methods.addAll(new CallMethods(context).methods());
    methods.addAll(new TransactionMethods(context).methods());
    methods.addAll(new TransactionQueryMethods(context).methods());
    methods.addAll(new PublicTransactionMethods(context).methods());
    methods.addAll(new AbiMethods(context).methods());
    var receipts = new ReceiptListenerMethods(context);
    methods.addAll(receipts.methods());
    var events = new EventListenerMethods(context);
    methods.addAll(events.methods());
    methods.addAll(
        new SubscriptionMethods("ptx_", List.of(receipts.subscribable(), events.subscribable()))
            .methods());
    methods.add(receipts.deleting());
    methods.add(events.deleting());
    methods.addAll(new GroupMethods(context).methods());
    methods.addAll(new GroupTransactionMethods(context).methods());
    var messages = new GroupMessageMethods(context);
    methods.addAll(messages.methods());
    methods.addAll(new MessageListenerMethods(context, messages).methods());
    methods.addAll(new LedgerMethods(context).methods());
    methods.addAll(new LedgerQueryMethods(context).methods());
    methods.addAll(new TransportMethods(context).methods());
    methods.addAll(new RegistryMethods(context).methods());
    methods.addAll(new KeyMethods(context).methods());
    methods.addAll(new DomainMethods(context).methods());
    methods.addAll(new StateMethods(context).methods());
    methods.addAll(new AbsentMethods().methods());
    methods.addAll(new LogMethods().methods());
    methods.addAll(new DiagnosisMethods(context).methods());
    methods.addAll(new JvmMethods(context).methods());
    methods.addAll(new BackupMethods(context.backups()).methods());
    methods.addAll(new RoomMethods(context).methods());
    methods.addAll(new ErasureMethods(context).methods());
    methods.addAll(new SequencerMethods(context).methods());
    methods.addAll(new CommitteeMethods(context).methods());
    methods.addAll(schedules);
    methods.addAll(new ChaosMethods(context).methods());
    return of(
        methods,
        context.node().domains().values().stream()
            .sorted(Comparator.comparing(Domain::name))
            .toList());
  }

  static MethodTable of(List<RpcMethod> methods, List<Domain> domains) {
    var byName = new LinkedHashMap<String, RpcMethod>();
    for (var method : methods) {
      if (byName.put(method.name(), method) != null) {
        throw new IllegalStateException("Two methods are called " + method.name() + ".");
      }
    }
    var table = new MethodTable(byName);
    for (var own : List.of(listing(table), granted(table), discovery(table, domains))) {
      byName.put(own.name(), own);
    }
    return table;
  }

  public Collection<RpcMethod> methods() {
    return Collections.unmodifiableCollection(byName.values());
  }

  /** Empty if there is no such method. */
  public Optional<RpcMethod> known(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /**
   * @throws RpcFailure with the nearest name, if there is no such method
   */
  public RpcMethod find(String name) {
    var method = byName.get(name);
    if (method == null) {
      throw new RpcFailure(ErrorCode.UNKNOWN_METHOD, unknown(name));
    }
    return method;
  }

  private String unknown(String name) {
    if (name.length() > 64) {
      return "There is no method with a name of %d characters. rpc_methods lists all."
          .formatted(name.length());
    }
    var printable = name.replaceAll("[^A-Za-z0-9_.:-]", "?");
    return "There is no method %s.%s rpc_methods lists all."
        .formatted(printable, nearest(name).map(near -> " Did you mean " + near + "?").orElse(""));
  }

  private Optional<String> nearest(String name) {
    return NearestName.of(name, byName.keySet());
  }

  private static final ObjectShape<Field<?>> PARAMETER =
      ObjectShape.<Field<?>>named("Parameter")
          .with("name", Formats.TEXT, Field::name)
          .with("type", Formats.TEXT, parameter -> parameter.format().type())
          .with("required", Formats.BOOLEAN, Field::required)
          .with("doc", Formats.TEXT, Field::doc)
          .with(
              "schema",
              Formats.OBJECT,
              parameter -> parameter.format().schema(new TreeMap<>()),
              "JSON Schema; the OpenRPC document has the components that it refers to");

  private static final ObjectShape<RpcMethod> METHOD =
      ObjectShape.<RpcMethod>named("Method")
          .with("name", Formats.TEXT, RpcMethod::name)
          .with("params", PARAMETER.list(), RpcMethod::parameters)
          .with("returns", Formats.TEXT, RpcMethod::returns)
          .with("doc", Formats.TEXT, RpcMethod::doc)
          .with("group", Shape.among(MethodGroup.class, MethodGroup::word), RpcMethod::group);

  private static RpcMethod listing(MethodTable table) {
    return RpcMethod.reading(
            "rpc_methods",
            List.of(),
            METHOD.list(),
            "an array of `{name, params, returns, doc, group}`",
            "Every method of this node with its parameters.",
            call -> completedFuture(List.copyOf(table.methods())))
        .withHandler(once(() -> METHOD.list().write(List.copyOf(table.methods()))));
  }

  /** Of one question. */
  private static final int MOST_ASKED = 100;

  private static final Field<List<String>> ASKED =
      Field.of("methods", Formats.TEXT.list(MOST_ASKED), "their names");
  private static final Field<String> ACCOUNT =
      Field.optional("account", Formats.TEXT, "for which they would be called");
  private static final Field<QueueName> QUEUE =
      Field.optional(
          "queue",
          Format.of("the name of a queue", "default", QueueName::new),
          "in which they would be called");

  private static RpcMethod granted(MethodTable table) {
    return RpcMethod.reading(
        "rpc_granted",
        List.of(ASKED, ACCOUNT, QUEUE),
        Formats.TEXT.list(),
        "an array of names",
        "Those of some methods that roles of the caller grant: so a page shows its buttons to who may"
            + " press them. It says nothing of whether an account or a queue is there, and each call"
            + " is compared again when it comes.",
        call ->
            completedFuture(
                call.get(ASKED).stream()
                    .filter(name -> isGranted(call, table.find(name)))
                    .toList()));
  }

  private static boolean isGranted(Call call, RpcMethod method) {
    var about = new ArrayList<Named>();
    method.about().forEach(kind -> about.add(new Named(kind, Named.ALL)));
    call.find(ACCOUNT).ifPresent(name -> about.add(new Named(Named.Kind.ACCOUNTS, name)));
    call.find(QUEUE)
        .ifPresent(name -> about.add(new Named(Named.Kind.QUEUES, name.whole().value())));
    return call.grants(method.group(), about);
  }

  private static RpcMethod discovery(MethodTable table, List<Domain> domains) {
    return RpcMethod.reading(
            "rpc.discover",
            List.of(),
            Shape.ANY,
            "the OpenRPC document",
            "Every method of this node with the JSON Schemas of its parameters and of its result, as"
                + " the OpenRPC specification (1.3) has it, for what makes clients from that.",
            call -> completedFuture(OpenRpc.document(table.methods(), domains)))
        .withHandler(once(() -> OpenRpc.document(table.methods(), domains)));
  }

  /** Long, and always the same: whoever asks often makes no tree of it each time. */
  private static RpcMethod.Handler once(Supplier<JsonNode> document) {
    var made = new AtomicReference<JsonNode>();
    return call ->
        completedFuture(
            made.updateAndGet(known -> known == null ? JsonText.once(document.get()) : known));
  }
}
