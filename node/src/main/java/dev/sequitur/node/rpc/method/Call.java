package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.RpcExchange.ListenerSession;
import dev.sequitur.node.rpc.method.RpcExchange.PushSession;
import dev.sequitur.node.rpc.query.KeptBytes;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.RoomStore.Bound;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** One call with its positional parameters, each read by its format. */
public final class Call {
  private final RpcMethod method;
  private final ObjectFormat format;
  private final Sent params;
  private final RpcExchange exchange;
  private final Sight sight;
  private final KeptBytes.Share kept;

  @SuppressWarnings("unused") // It is held, and not read.
  private volatile List<Optional<PrivacyGroup>> about = List.of();

  private volatile Optional<Bound> forgotten = Optional.empty();

  private Call(
      RpcMethod method,
      ObjectFormat format,
      Sent params,
      RpcExchange exchange,
      Sight sight,
      KeptBytes.Share kept) {
    this.method = method;
    this.format = format;
    this.params = params;
    this.exchange = exchange;
    this.sight = sight;
    this.kept = kept;
  }

  /**
   * @param params an array
   * @param sight of its caller
   * @param kept what it finds and is not answered yet
   * @throws RpcFailure if number or type of the parameters is wrong
   */
  public static Call check(
      RpcMethod method, JsonNode params, RpcExchange exchange, Sight sight, KeptBytes.Share kept) {
    int most = method.parameters().size();
    if (params.size() < method.required() || params.size() > most) {
      throw new RpcFailure(
          ErrorCode.WRONG_PARAMETER_COUNT,
          "%s takes %s; %d came.".formatted(method.name(), wanted(method), params.size()));
    }
    var format = ObjectFormat.of(method.name()).with(method.parameters());
    return new Call(method, format, format.byPosition(params), exchange, sight, kept);
  }

  private static String wanted(RpcMethod method) {
    if (method.parameters().isEmpty()) {
      return "no parameters";
    }
    var names = new StringBuilder();
    for (var parameter : method.parameters()) {
      names.append(names.isEmpty() ? "" : ", ").append(parameter.name());
      names.append(parameter.required() ? "" : " (optional)");
    }
    return "the parameters [" + names + "], in an array";
  }

  /** The value of a parameter that must be sent, or has a value without. */
  public <T> T get(Field<T> parameter) {
    return params.get(parameter);
  }

  /** The value of a parameter that may be left out or null. */
  public <T> Optional<T> find(Field<T> parameter) {
    return params.find(parameter);
  }

  /** The name of the method that is called. */
  public String method() {
    return method.name();
  }

  /** How messages name a parameter. */
  public String path(Field<?> parameter) {
    return "params[%d] (%s)".formatted(method.parameters().indexOf(parameter), parameter.name());
  }

  /** What it is about stays in memory as long as the call does. */
  public void hold(List<Optional<PrivacyGroup>> groups) {
    about = groups;
  }

  /** Tells what the call names of what is granted by name. */
  public void tell(BiConsumer<Field.Mention, String> told) {
    format.tellByPosition(params.object(), told);
  }

  /** Why its caller may not see what is about all these; empty if it may. */
  public Optional<RpcFailure> refusal(Collection<Named> about) {
    return sight.refusal(about);
  }

  /** Whether its caller may see what is about all these, by this call or by one that reads. */
  public boolean reads(Collection<Named> about) {
    return sight.reads(about);
  }

  /** Whether roles of its caller grant calls of a group of methods that are about all these. */
  boolean grants(MethodGroup methods, Collection<Named> about) {
    return sight.grants(methods, about);
  }

  /** Whether its caller may see what is about a privacy group. */
  public boolean sees(ContractAddress group) {
    return refusal(List.of(new Named(Named.Kind.GROUPS, group.value()))).isEmpty();
  }

  /**
   * @throws RpcFailure if its caller may not see what is about all these
   */
  public void mustSee(Collection<Named> about) {
    refusal(about)
        .ifPresent(
            refusal -> {
              throw refusal;
            });
  }

  /** Whether its caller may see a privacy group, also before its contract is confirmed. */
  boolean sees(StoredGroup group) {
    return sight.sees(group);
  }

  /**
   * @throws RpcFailure if its caller may not make a group of these members
   */
  void mustMake(Collection<Identity> members) {
    sight
        .refusalToMake(members)
        .ifPresent(
            refusal -> {
              throw refusal;
            });
  }

  /** What it lists would go on where the node has forgotten: that is said beside its result. */
  void reaches(Bound bound) {
    forgotten = Optional.of(bound);
  }

  /** Up to where the node has forgotten what this call would list, if it comes to that. */
  public Optional<Bound> forgotten() {
    return forgotten;
  }

  /** The same call with what its caller may see as it is now: for each batch that is pushed. */
  public Call asOfNow() {
    return new Call(method, format, params, exchange, sight.again(), kept);
  }

  /** What its queries have found and is not answered yet. */
  KeptBytes.Share kept() {
    return kept;
  }

  /**
   * Before more is read for it.
   *
   * @throws RpcFailure if its time is over: nobody waits for what is found
   */
  public void mustBeAwaited() {
    kept.mustBeAwaited();
  }

  /** What the call came on. */
  public RpcExchange exchange() {
    return exchange;
  }

  /**
   * @throws RpcFailure over HTTP, where nothing can be pushed
   */
  public ListenerSession listeners() {
    return exchange.listeners().orElseThrow(this::needsWebSocket);
  }

  /**
   * @throws RpcFailure over HTTP, where nothing can be pushed
   */
  public PushSession pushes() {
    return exchange.pushes().orElseThrow(this::needsWebSocket);
  }

  private RpcFailure needsWebSocket() {
    return new RpcFailure(
        ErrorCode.NEEDS_WEBSOCKET,
        method.name()
            + " needs a WebSocket, since HTTP cannot push. Open one to the same host and port.");
  }

  /**
   * What a caller may see of what its call finds, where the call itself does not name it: whose a
   * schedule is stands in the schedule. As it was when the call came: a call is short.
   */
  public interface Sight {
    /** The same as it is now. */
    Sight again();

    /** Why the caller may not see what is about all these; empty if it may. */
    Optional<RpcFailure> refusal(Collection<Named> about);

    /** Whether it may, if not by this call then by one that only reads. */
    boolean reads(Collection<Named> about);

    /** Whether it may call methods of a group about all these. */
    boolean grants(MethodGroup methods, Collection<Named> about);

    /** Whether the caller may see a privacy group, also before its contract is confirmed. */
    boolean sees(StoredGroup group);

    /** Why the caller may not make a group of these members; empty if it may. */
    Optional<RpcFailure> refusalToMake(Collection<Identity> members);
  }
}
