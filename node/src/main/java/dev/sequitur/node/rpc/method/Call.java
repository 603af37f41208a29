package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One call with its positional parameters, checked against the method's table row. */
public final class Call {
  private final RpcMethod method;
  private final JsonNode params;
  private final Exchange exchange;
  private final Map<Integer, Fields> objects = new TreeMap<>();

  private Call(RpcMethod method, JsonNode params, Exchange exchange) {
    this.method = method;
    this.params = params;
    this.exchange = exchange;
  }

  /**
   * @param params an array
   * @throws RpcFailure if number or type of the parameters is wrong
   */
  public static Call check(RpcMethod method, JsonNode params, Exchange exchange) {
    int most = method.parameters().size();
    if (params.size() < method.required() || params.size() > most) {
      throw new RpcFailure(
          ErrorCode.WRONG_PARAMETER_COUNT,
          "%s takes %s; %d came.".formatted(method.name(), wanted(method), params.size()));
    }
    var call = new Call(method, params, exchange);
    for (int i = 0; i < params.size(); i++) {
      var parameter = method.parameters().get(i);
      if (parameter.required() || !params.get(i).isNull()) {
        parameter.format().read(call.path(i), params.get(i));
      }
    }
    return call;
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

  /** How messages name a parameter. */
  public String path(int index) {
    return "params[" + index + "] (" + method.parameters().get(index).name() + ")";
  }

  /** The value of a parameter that this method must be sent. */
  public <T> T get(Parameter<T> parameter) {
    return find(parameter).orElseThrow();
  }

  /** The value of a parameter that may be left out or null. */
  public <T> Optional<T> find(Parameter<T> parameter) {
    int index = method.parameters().indexOf(parameter);
    return has(index)
        ? Optional.of(parameter.format().read(path(index), params.get(index)))
        : Optional.empty();
  }

  /** How messages name a parameter. */
  public String path(Parameter<?> parameter) {
    return path(method.parameters().indexOf(parameter));
  }

  /** The fields of a parameter that is an object. */
  public Fields object(Parameter<JsonNode> parameter) {
    return object(method.parameters().indexOf(parameter));
  }

  public JsonNode any(int index) {
    return params.get(index);
  }

  public boolean has(int index) {
    return index < params.size() && !params.get(index).isNull();
  }

  public String text(int index) {
    return params.get(index).textValue();
  }

  public Optional<String> optionalText(int index) {
    return has(index) ? Optional.of(text(index)) : Optional.empty();
  }

  public long number(int index) {
    return Formats.NUMBER.read(path(index), params.get(index));
  }

  public Fields object(int index) {
    return objects.computeIfAbsent(index, i -> new Fields("params[" + i + "]", params.get(i)));
  }

  /**
   * @see Fields#refuseUnknown
   */
  public void refuseUnknownFields() {
    objects.values().forEach(Fields::refuseUnknown);
  }

  /** What the call came on. */
  public Exchange exchange() {
    return exchange;
  }

  /**
   * @throws RpcFailure over HTTP, where nothing can be pushed
   */
  public ReceiptSession receipts() {
    return exchange.receipts().orElseThrow(this::needsWebSocket);
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
}
