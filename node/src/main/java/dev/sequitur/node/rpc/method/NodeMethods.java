package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The node itself: its name, its peers, its keys, its domains. */
final class NodeMethods {
  private final NodeContext context;

  NodeMethods(NodeContext context) {
    this.context = context;
  }

  List<RpcMethod> methods() {
    return List.of(
        new RpcMethod(
            "transport_nodeName",
            List.of(),
            "a string",
            "The name of this node: what stands after the @ of its identities.",
            true,
            call -> done(TextNode.valueOf(context.node().name().value()))),
        new RpcMethod(
            "transport_peers",
            List.of(),
            "an array of `{name}`",
            "The nodes that this one can talk to.",
            true,
            call -> done(peers())),
        new RpcMethod(
            "keymgr_resolveKey",
            List.of(
                Parameter.of("name", ParameterType.TEXT, "the key: what stands before the @"),
                Parameter.of("algorithm", ParameterType.TEXT, VerifierTypes.ALGORITHM),
                Parameter.of("verifierType", ParameterType.TEXT, VerifierTypes.supported())),
            "`{identifier, verifier: {verifier, type, algorithm}}`",
            "The verifier of one of this node's own keys; the key is made on first use.",
            true,
            call -> done(key(call))),
        new RpcMethod(
            "domain_listDomains",
            List.of(),
            "an array of names",
            "The domains of this node.",
            true,
            call -> done(domains())));
  }

  private JsonNode peers() {
    var list = JsonNodeFactory.instance.arrayNode();
    context.node().peers().stream()
        .sorted()
        .forEach(peer -> list.addObject().put("name", peer.value()));
    return list;
  }

  private JsonNode domains() {
    var list = JsonNodeFactory.instance.arrayNode();
    context.node().domains().keySet().stream().sorted().forEach(list::add);
    return list;
  }

  private JsonNode key(Call call) {
    var type = VerifierTypes.check(call.text(1), call.text(2));
    var own = context.node().name();
    var identity =
        Fields.parse(call.path(0), call.text(0), text -> IntentDraft.identity(text, own));
    if (!identity.node().equals(own)) {
      throw new RpcFailure(
          ErrorCode.FOREIGN_IDENTITY,
          "This key is on the node %s. Ask there, or use ptx_resolveVerifier."
              .formatted(identity.node()));
    }
    var json = JsonText.object().put("identifier", identity.name());
    json.putObject("verifier")
        .put("verifier", type.render(context.node().keys().verifier(identity.name())))
        .put("type", type.label())
        .put("algorithm", VerifierTypes.ALGORITHM);
    return json;
  }

  private static CompletionStage<JsonNode> done(JsonNode result) {
    return CompletableFuture.completedFuture(result);
  }
}
