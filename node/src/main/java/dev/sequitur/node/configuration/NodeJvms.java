package dev.sequitur.node.configuration;

import dev.sequitur.cluster.placement.Drain;
import dev.sequitur.links.tls.TlsFiles;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.protocol.placement.ShardNumber;
import java.time.Duration;
import java.util.List;

/** How many JVMs a node may have, and with that, where it keeps what it has promised. */
public sealed interface NodeJvms {
  /** Less than after which a process that stops is cut off. */
  Duration MOST_DRAIN = Duration.ofSeconds(25);

  /** Everything is in the data directory. */
  record One() implements NodeJvms {
    @Override
    public int number() {
      return 0;
    }

    @Override
    public Drain.Limits drain() {
      return new Drain.Limits(Duration.ZERO, Duration.ZERO);
    }
  }

  /**
   * One of several that share a database.
   *
   * @param remoting how the others reach this one
   * @param bindHost the interface to listen on
   * @param seedNodes the JVMs to join
   * @param shards how many there are of each kind of entity, alike in all JVMs
   * @param tls whose certificate speaks for the node
   * @param drain how long it takes until this JVM hands over what it has when it leaves
   */
  record Several(
      HostAndPort remoting,
      String bindHost,
      List<HostAndPort> seedNodes,
      int shards,
      TlsFiles tls,
      PostgresSettings database,
      Drain.Limits drain)
      implements NodeJvms {
    public Several {
      seedNodes = List.copyOf(seedNodes);
    }

    @Override
    public int number() {
      var names = seedNodes.stream().map(HostAndPort::toString).sorted().toList();
      int listed = names.indexOf(remoting.toString());
      return listed < 0 ? remoting.toString().hashCode() & Integer.MAX_VALUE : listed;
    }
  }

  /**
   * Its place among the node's JVMs, so that what one of them does first the next does second: that
   * in the list of seed nodes, or one by chance that stays.
   */
  int number();

  /** How long it may take until a JVM that leaves hands over what it has. */
  Drain.Limits drain();

  static NodeJvms read(ConfigurationReader reader, LedgerAccess ledger) {
    if (!reader.flag("cluster.enabled")) {
      return new One();
    }
    if (ledger.isOwn()) {
      reader.mistake(
          "ledger.mode is embedded, and each JVM of the node would have a ledger of its own: run"
              + " 'sequitur ledger' and set ledger.mode = remote.");
    }
    var remoting = reader.hostAndPort("cluster");
    if (remoting.port() == 0) {
      reader.mistake("cluster.port is 1 to 65535, since the other JVMs must know it, not 0.");
    }
    var bindHost = reader.text("cluster.bind-host");
    return new Several(
        remoting,
        bindHost.isBlank() ? remoting.host() : bindHost,
        seedNodes(reader),
        reader.integer("cluster.shards", ShardNumber.USUAL, ShardNumber.MOST),
        reader.tlsFiles("cluster.tls", "the JVMs of a node speak over mutual TLS; name its file."),
        database(reader),
        drain(reader));
  }

  private static Drain.Limits drain(ConfigurationReader reader) {
    var notice = reader.duration("cluster.drain.notice");
    var atMost = reader.duration("cluster.drain.at-most");
    if (atMost.compareTo(MOST_DRAIN) > 0) {
      reader.mistake(
          "cluster.drain.at-most is %d s or less, so that the process has time to end."
              .formatted(MOST_DRAIN.toSeconds()));
    }
    return reader.built(
        "cluster.drain.notice",
        () -> new Drain.Limits(notice, atMost),
        new Drain.Limits(Duration.ZERO, Duration.ZERO));
  }

  private static List<HostAndPort> seedNodes(ConfigurationReader reader) {
    var seeds =
        reader.texts("cluster.seed-nodes").stream()
            .map(
                text ->
                    reader.built(
                        "cluster.seed-nodes",
                        () -> HostAndPort.parse(text),
                        new HostAndPort("127.0.0.1", 1)))
            .toList();
    if (seeds.isEmpty()) {
      reader.mistake(
          "cluster.seed-nodes is empty: name the node's JVMs, such as [\"host1:25520\","
              + " \"host2:25520\"].");
    }
    return seeds;
  }

  private static PostgresSettings database(ConfigurationReader reader) {
    var url =
        reader.required(
            "postgresql.url",
            "a journal in one JVM's directory would lose the state of what moves to another;"
                + " write jdbc:postgresql://host:port/database.",
            text -> text,
            "jdbc:postgresql:");
    return reader.built(
        "postgresql",
        () ->
            new PostgresSettings(
                url,
                reader.text("postgresql.user"),
                reader.text("postgresql.password"),
                reader.text("postgresql.schema")),
        new PostgresSettings("jdbc:postgresql:", "", "", "sequitur"));
  }
}
