package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.NearestName;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.JsonText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

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
    methods.addAll(new TransactionMethods(context).methods());
    methods.addAll(new TransactionQueryMethods(context).methods());
    methods.addAll(new ReceiptListenerMethods(context).methods());
    methods.addAll(new GroupMethods(context).methods());
    methods.addAll(new GroupTransactionMethods(context).methods());
    methods.addAll(new LedgerMethods(context).methods());
    methods.addAll(new NodeMethods(context).methods());
    methods.addAll(new SequencerMethods(context).methods());
    methods.addAll(schedules);
    methods.addAll(new ChaosMethods(context).methods());
    return of(methods);
  }

  static MethodTable of(List<RpcMethod> methods) {
    var byName = new LinkedHashMap<String, RpcMethod>();
    for (var method : methods) {
      if (byName.put(method.name(), method) != null) {
        throw new IllegalStateException("Two methods are called " + method.name() + ".");
      }
    }
    var table = new MethodTable(byName);
    var listing = listing(table);
    byName.put(listing.name(), listing);
    return table;
  }

  public Collection<RpcMethod> methods() {
    return Collections.unmodifiableCollection(byName.values());
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

  private static RpcMethod listing(MethodTable table) {
    return new RpcMethod(
        "rpc_methods",
        List.of(),
        "an array of `{name, params, returns, doc}`",
        "Every method of this node with its parameters.",
        true,
        call -> CompletableFuture.completedFuture(list(table)));
  }

  private static JsonNode list(MethodTable table) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (var method : table.methods()) {
      var entry = JsonText.object().put("name", method.name());
      var params = entry.putArray("params");
      for (var parameter : method.parameters()) {
        params
            .addObject()
            .put("name", parameter.name())
            .put("type", parameter.type().expected())
            .put("required", parameter.required())
            .put("doc", parameter.doc());
      }
      list.add(entry.put("returns", method.returns()).put("doc", method.doc()));
    }
    return list;
  }
}
