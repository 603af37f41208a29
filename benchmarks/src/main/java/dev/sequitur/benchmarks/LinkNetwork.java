package dev.sequitur.benchmarks;

import dev.sequitur.links.tls.Certificates;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.transport.tls.BinaryEnvelopeCodec;
import dev.sequitur.transport.tls.PeerAddress;
import dev.sequitur.transport.tls.TlsConfiguration;
import dev.sequitur.transport.tls.TlsTransport;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** One node and its peers, each with certificates and a port of its own, in this JVM. */
final class LinkNetwork implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final NodeName HUB = new NodeName("hub");
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "a1".repeat(20));
  private static final ProtocolFormat FORMAT = new ProtocolFormat();

  private final Transport hub;
  private final List<NodeName> peers;
  private final List<Transport> all;

  /** What has come to its end: a peer while flooded, the hub after a round trip. */
  private final Semaphore arrived = new Semaphore(0);

  private volatile boolean echo;

  private LinkNetwork(Transport hub, List<NodeName> peers, List<Transport> all) {
    this.hub = hub;
    this.peers = peers;
    this.all = all;
  }

  static LinkNetwork start(int links) throws IOException {
    var directory = Files.createTempDirectory("sequitur-links-");
    var peers = IntStream.range(0, links).mapToObj(i -> new NodeName("peer" + i)).toList();
    var names = new ArrayList<>(peers);
    names.add(HUB);
    var now = Instant.now();
    Certificates.writeNetwork(
        directory,
        names,
        new Certificates.Validity(now.minusSeconds(3_600), now.plusSeconds(30 * 86_400L)));
    var hubAddress = new PeerAddress(HOST, freePort());
    Map<NodeName, PeerAddress> addresses = new HashMap<>();
    var all = new ArrayList<Transport>();
    for (var peer : peers) {
      var transport = open(directory, peer, new PeerAddress(HOST, 0), Map.of(HUB, hubAddress));
      addresses.put(peer, new PeerAddress(HOST, transport.localPort()));
      all.add(transport);
    }
    var hub = open(directory, HUB, hubAddress, addresses);
    all.add(hub);
    var network = new LinkNetwork(hub, peers, all);
    network.receive();
    return network;
  }

  private static TlsTransport open(
      Path directory, NodeName self, PeerAddress listen, Map<NodeName, PeerAddress> peers) {
    return TlsTransport.open(
        TlsConfiguration.of(self, listen, Certificates.files(directory, self), peers),
        new BinaryEnvelopeCodec(FORMAT),
        new PrometheusRegistry());
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void receive() {
    hub.receive(batch -> arrived.release(batch.size()));
    for (int i = 0; i < peers.size(); i++) {
      var self = peers.get(i);
      var transport = all.get(i);
      transport.receive(
          batch -> {
            if (echo) {
              transport.send(batch.stream().map(each -> answer(self, each)).toList());
            } else {
              arrived.release(batch.size());
            }
          });
    }
  }

  private static Envelope answer(NodeName self, Envelope to) {
    return envelope(self, HUB, to.payload());
  }

  private static Envelope envelope(NodeName from, NodeName to, Message payload) {
    return new Envelope(
        ProtocolVersion.CURRENT,
        new MessageId(UUID.randomUUID()),
        Optional.empty(),
        from,
        to,
        List.of(),
        payload);
  }

  /** A node that sends envelopes of one size. */
  Hub hub(int bytes) {
    int own = FORMAT.encode(envelope(HUB, peers.get(0), request(0))).length;
    if (bytes < own) {
      throw new IllegalArgumentException("The shortest envelope has " + own + " bytes.");
    }
    return new Hub(request(bytes - own));
  }

  private static AssembleRequest request(int bytes) {
    return new AssembleRequest(
        new RequestId("assemble-1"),
        CONTRACT,
        new BlockHeight(100),
        StateLocks.NONE,
        List.of(
            new AssembleRequest.Item(
                new TransactionId(new UUID(1, 2)),
                new DelegationId(HUB, 1, 1),
                Bytes.of(new byte[bytes]),
                Bytes.EMPTY)));
  }

  /** Sends to the peers in turn. Confined to one thread. */
  final class Hub {
    /** As the outbox of a node sends what one step of a machine has written. */
    private static final int BATCH = 4;

    private final AssembleRequest payload;
    private int next;

    private Hub(AssembleRequest payload) {
      this.payload = payload;
    }

    private void send(int number) {
      var envelope = envelope(HUB, peers.get(next), payload);
      next = (next + 1) % peers.size();
      hub.send(Collections.nCopies(number, envelope));
    }

    Duration roundTrip() throws InterruptedException {
      echo = true;
      long start = System.nanoTime();
      send(1);
      await(1);
      return Duration.ofNanos(System.nanoTime() - start);
    }

    /**
     * @param room envelopes that are under way to all peers together
     * @return how many have arrived
     */
    long flood(int room, long untilNanos) throws InterruptedException {
      echo = false;
      long sent = 0;
      long done = 0;
      while (System.nanoTime() < untilNanos) {
        while (sent - done + BATCH <= room) {
          send(BATCH);
          sent += BATCH;
        }
        await(1);
        done += 1 + arrived.drainPermits();
      }
      await((int) (sent - done));
      return sent;
    }

    private void await(int number) throws InterruptedException {
      if (!arrived.tryAcquire(number, 30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("Envelopes were lost.");
      }
    }
  }

  @Override
  public void close() {
    all.forEach(Transport::close);
  }
}
