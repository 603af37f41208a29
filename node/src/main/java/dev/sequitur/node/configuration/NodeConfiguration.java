package dev.sequitur.node.configuration;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.selection.SelectionPolicy;
import dev.sequitur.protocol.settings.SequencerSettings;
import java.nio.file.Path;

/**
 * What one process of a node is started with.
 *
 * @param directory where keys, journal, database and log live
 * @param rpc where JSON-RPC listens
 * @param selection must be the same on all nodes of a network
 * @param akka settings of Akka itself, that go before the product's own
 */
public record NodeConfiguration(
    NodeName name,
    Path directory,
    HostAndPort rpc,
    TransportConfiguration transport,
    LedgerAccess ledger,
    SelectionPolicy selection,
    SequencerSettings sequencer,
    Config akka) {

  /** All defaults: alone, on loopback, on any free port. */
  public static NodeConfiguration embedded(NodeName name, Path directory) {
    return new NodeConfiguration(
        name,
        directory,
        new HostAndPort("127.0.0.1", 0),
        new TransportConfiguration.InProcess(),
        new LedgerAccess.Embedded(BlockConfiguration.DEFAULT),
        SelectionPolicy.DEFAULT,
        SequencerSettings.DEFAULT,
        ConfigFactory.empty());
  }

  public NodeConfiguration withSelection(SelectionPolicy value) {
    return new NodeConfiguration(name, directory, rpc, transport, ledger, value, sequencer, akka);
  }

  /**
   * @throws ConfigurationMistakes with a sentence for each mistake
   */
  public static NodeConfiguration read(Path file) {
    var reader = ConfigurationReader.ofFile(Reference.NODE, file);
    var name =
        reader.required(
            "node.name",
            "give the node a name that no other node of the network has, such as node.name ="
                + " node1.",
            NodeName::new,
            new NodeName("unnamed"));
    var configuration =
        new NodeConfiguration(
            name,
            reader.path(
                "node.data-directory",
                "say where keys and journal may live, such as node.data-directory = data."),
            reader.hostAndPort("rpc"),
            TransportConfiguration.read(reader, name),
            LedgerAccess.read(reader),
            SequencerSections.selection(reader),
            SequencerSections.settings(reader),
            reader.section("akka").atPath("akka"));
    reader.finish();
    return configuration;
  }
}
