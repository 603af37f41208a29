package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Field;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.ObjectShape;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.id.NodeName;
import java.util.List;

/** The node itself: its name, its peers, its keys, its domains. */
final class NodeMethods {
  private static final Field<GivenIdentity> NAME =
      Field.of("name", GivenIdentity.FORMAT, "the key: what stands before the @");

  /** A key of this node, in the form that was asked for. */
  private record ResolvedKey(String identifier, String verifier, VerifierTypes type) {}

  private static final ObjectShape<ResolvedKey> VERIFIER =
      ObjectShape.<ResolvedKey>named("Verifier")
          .with("verifier", Formats.TEXT, ResolvedKey::verifier)
          .with("type", Formats.TEXT, key -> key.type().label())
          .constant("algorithm", VerifierTypes.SECP256K1);

  private static final ObjectShape<ResolvedKey> KEY =
      ObjectShape.<ResolvedKey>named("ResolvedKey")
          .with("identifier", Formats.TEXT, ResolvedKey::identifier)
          .with("verifier", VERIFIER, key -> key);

  private static final ObjectShape<NodeName> PEER =
      ObjectShape.<NodeName>named("Peer").with("name", Formats.NODE, peer -> peer);

  private final NodeContext context;

  NodeMethods(NodeContext context) {
    this.context = context;
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.of(
            MethodGroup.READ,
            "transport_nodeName",
            List.of(),
            Formats.NODE,
            "a string",
            "The name of this node: what stands after the @ of its identities.",
            call -> completedFuture(context.node().name())),
        RpcMethod.of(
            MethodGroup.READ,
            "transport_peers",
            List.of(),
            PEER.list(),
            "an array of `{name}`",
            "The nodes that this one can talk to.",
            call -> completedFuture(context.node().peers().stream().sorted().toList())),
        RpcMethod.of(
            MethodGroup.READ,
            "keymgr_resolveKey",
            List.of(NAME, VerifierTypes.ALGORITHM, VerifierTypes.TYPE),
            KEY,
            "`{identifier, verifier: {verifier, type, algorithm}}`",
            "The verifier of one of this node's own keys; the key is made on first use.",
            call -> completedFuture(key(call))),
        RpcMethod.of(
            MethodGroup.READ,
            "domain_listDomains",
            List.of(),
            Formats.TEXT.list(),
            "an array of names",
            "The domains of this node.",
            call -> completedFuture(context.node().domains().keySet().stream().sorted().toList())));
  }

  private ResolvedKey key(Call call) {
    var type = VerifierTypes.of(call);
    var own = context.node().name();
    var identity = call.get(NAME).at(own);
    if (!identity.node().equals(own)) {
      throw new RpcFailure(
          ErrorCode.FOREIGN_IDENTITY,
          "This key is on the node %s. Ask there, or use ptx_resolveVerifier."
              .formatted(identity.node()));
    }
    var verifier = context.node().keys().verifier(identity.name());
    return new ResolvedKey(identity.name(), type.render(verifier), type);
  }
}
