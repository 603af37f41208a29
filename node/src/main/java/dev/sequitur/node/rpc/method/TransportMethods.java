package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.Transport;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code transport_…}: this node's name, and the nodes that it can talk to. */
record TransportMethods(NodeContext context) {
  /** The one way in which nodes talk to each other. */
  static final String TRANSPORT = "sequitur";

  /**
   * A node that this one can talk to.
   *
   * @param link empty within one process, where no connection is needed
   */
  private record Peer(NodeName name, Optional<Transport.Link> link) {}

  private static final ObjectShape<Transport.Link> LINK =
      ObjectShape.<Transport.Link>named("PeerLink")
          .with("connected", Formats.BOOLEAN, Transport.Link::connected)
          .with(
              "trouble",
              Formats.TEXT,
              Transport.Link::trouble,
              "why there is no connection; empty if there is one, or nothing was tried");

  private static final ObjectShape<Peer> PEER =
      ObjectShape.<Peer>named("Peer")
          .with("name", Formats.NODE, Peer::name)
          .constant("outboundTransport", TRANSPORT)
          .maybe(
              "outbound",
              LINK,
              Peer::link,
              "this node's own connection to it; left out if both are one process");

  private static final Map<String, QueryField<Peer>> PEER_FIELDS = QueryField.table(PEER, "name");

  private static final Field<Sent> PEERS = QueryReader.field("PeerQuery", PEER_FIELDS);
  private static final Field<String> NODE_NAME =
      Field.of("nodeName", Formats.NAME, "the peer's name");
  private static final Field<String> TRANSPORT_NAME =
      Field.of("transportName", Formats.NAME, "`" + TRANSPORT + "`");

  private static final ObjectShape<NodeName> LOCAL =
      ObjectShape.<NodeName>named("LocalTransport").with("node", Formats.NODE, name -> name);

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "transport_nodeName",
            List.of(),
            Formats.NODE,
            "a string",
            "The name of this node: what stands after the @ of its identities.",
            call -> completedFuture(context.node().name())),
        RpcMethod.reading(
            "transport_peers",
            List.of(),
            PEER.list(),
            "an array of peers",
            "The nodes that this one can talk to, connected or not.",
            call -> completedFuture(peers())),
        RpcMethod.reading(
            "transport_queryPeers",
            List.of(PEERS),
            PEER.list(),
            "an array of peers",
            "Those of the nodes that a query wants, by name unless sorted otherwise.",
            call -> context.rows(call, call.get(PEERS), PEER_FIELDS, peers())),
        peer("transport_getPeer", "A node that this one can talk to."),
        peer("transport_peerInfo", "The older name of transport_getPeer."),
        RpcMethod.reading(
            "transport_localTransports",
            List.of(),
            Formats.TEXT.list(),
            "an array of names",
            "How this node talks to others: there is one way.",
            call -> completedFuture(List.of(TRANSPORT))),
        RpcMethod.reading(
            "transport_localTransportDetails",
            List.of(TRANSPORT_NAME),
            Formats.TEXT,
            "a string, of JSON",
            "What others know this node by: its name. Its address and certificate stand in their"
                + " configurations.",
            call -> completedFuture(details(call.get(TRANSPORT_NAME)))));
  }

  private RpcMethod peer(String name, String doc) {
    return RpcMethod.reading(
        name,
        List.of(NODE_NAME),
        PEER.orNull(),
        "the peer, or null",
        doc,
        call ->
            completedFuture(
                peers().stream()
                    .filter(peer -> peer.name().value().equals(call.get(NODE_NAME)))
                    .findFirst()));
  }

  private List<Peer> peers() {
    var links = context.node().links();
    return context.node().peers().stream()
        .sorted()
        .map(name -> new Peer(name, Optional.ofNullable(links.get(name))))
        .toList();
  }

  private String details(String transport) {
    if (!transport.equals(TRANSPORT)) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          "There is no such transport here. Ask for %s.".formatted(TRANSPORT));
    }
    return LOCAL.write(context.node().name()).toString();
  }
}
