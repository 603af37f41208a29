package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.protocol.port.Domain;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** The OpenRPC document: what the declarations of the methods say, for programs. */
final class OpenRpc {
  private static final String VERSION = "1.3.2";

  /** What a function of a domain takes, wherever a call names one. */
  private static final String INPUTS = "FunctionInputs";

  private static final String REFERENCE = "#/components/schemas/";

  private OpenRpc() {}

  /** The schema of a function's inputs: {@link #document} has them all under this name. */
  static ObjectNode functionInputs(Map<String, ObjectNode> named) {
    named.computeIfAbsent(
        INPUTS,
        name ->
            JsonText.object()
                .put(
                    "description",
                    "The inputs of the function that is called: those of a domain as it declares"
                        + " them, or an array or object by an ABI, or the hex of their UTF-8."));
    return JsonText.object().put("$ref", REFERENCE + INPUTS);
  }

  /**
   * @param domains of the node, whose functions the document tells, too
   */
  static ObjectNode document(Collection<RpcMethod> methods, Collection<Domain> domains) {
    var document = JsonText.object().put("openrpc", VERSION);
    document.putObject("info").put("title", "Sequitur").put("version", "1");
    var listed = document.putArray("methods");
    var named = new TreeMap<String, ObjectNode>();
    methods.forEach(method -> listed.add(method(method, named)));
    tellFunctions(document, named, domains);
    var schemas = document.putObject("components").putObject("schemas");
    named.forEach(schemas::set);
    return document;
  }

  private static void tellFunctions(
      ObjectNode document, Map<String, ObjectNode> named, Collection<Domain> domains) {
    var told = document.putArray("x-domains");
    var inputs = named.get(INPUTS);
    var choices = inputs == null ? null : inputs.putArray("anyOf");
    for (var domain : domains) {
      var functions = told.addObject().put("name", domain.name()).putArray("functions");
      for (var function : domain.functions()) {
        var schemas = JsonText.parse(function.schemas().toByteArray());
        schemas
            .properties()
            .forEach(each -> named.put(each.getKey(), (ObjectNode) each.getValue()));
        var reference = JsonText.object().put("$ref", REFERENCE + function.inputs());
        functions
            .addObject()
            .put("name", function.name())
            .put("description", function.doc())
            .put("readOnly", function.readOnly())
            .set("inputs", reference);
        if (choices != null && !function.readOnly()) {
          choices.add(reference);
        }
      }
    }
    if (choices != null) {
      var other = choices.addObject();
      other.putArray("type").add("object").add("array").add("string");
    }
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
