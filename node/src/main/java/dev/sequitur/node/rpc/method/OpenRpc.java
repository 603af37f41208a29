package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** The OpenRPC document: what the declarations of the methods say, for programs. */
final class OpenRpc {
  private static final String VERSION = "1.3.2";

  private OpenRpc() {}

  static ObjectNode document(Collection<RpcMethod> methods) {
    var document = JsonText.object().put("openrpc", VERSION);
    document.putObject("info").put("title", "Sequitur").put("version", "1");
    var listed = document.putArray("methods");
    var named = new TreeMap<String, ObjectNode>();
    methods.forEach(method -> listed.add(method(method, named)));
    var schemas = document.putObject("components").putObject("schemas");
    named.forEach(schemas::set);
    return document;
  }

  private static ObjectNode method(RpcMethod method, Map<String, ObjectNode> named) {
    var json =
        JsonText.object()
            .put("name", method.name())
            .put("description", method.doc())
            .put("paramStructure", "by-position")
            .put("x-group", method.group().word());
    var params = json.putArray("params");
    for (var parameter : method.parameters()) {
      params
          .addObject()
          .put("name", parameter.name())
          .put("description", parameter.doc())
          .put("required", parameter.required())
          .set("schema", parameter.format().schema(named));
    }
    // Without a result a method is a notification there, as acknowledgements are here.
    if (method.answered()) {
      json.putObject("result")
          .put("name", "result")
          .put("description", method.returns())
          .set("schema", method.result().schema(named));
    }
    return json;
  }
}
