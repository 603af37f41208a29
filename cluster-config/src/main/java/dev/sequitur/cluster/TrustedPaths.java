package dev.sequitur.cluster;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The actors that a node's other JVMs may reach by their path. Remoting in untrusted mode drops
 * what else comes so, and each order that ends or watches an actor.
 */
public final class TrustedPaths {
  private static final String KEY = "akka.remote.artery.trusted-selection-paths";
  private static final String KINDS = "sequitur.remoting.sharded";
  private static final String SINGLETONS = "sequitur.remoting.singletons";
  private static final String SHARDING = "/system/sharding/";

  /** Gossip, heartbeats, and the replicated data of sharding and of the receptionist. */
  private static final List<String> OF_THE_CLUSTER =
      List.of(
          "/system/cluster/core/daemon",
          "/system/cluster/heartbeatReceiver",
          "/system/remote-watcher",
          "/system/clusterReceptionist/replicator",
          SHARDING + "replicator");

  private TrustedPaths() {}

  /**
   * For whoever registers a kind of entities, on a node of one JVM too: the others of a node of
   * several would never find it.
   *
   * @throws IllegalStateException if no {@code reference.conf} names it
   */
  public static void requireSharded(Config config, String kind) {
    require(config, KINDS, kind);
  }

  /** As {@link #requireSharded}, for a typed cluster singleton. */
  public static void requireSingleton(Config config, String name) {
    require(config, SINGLETONS, name);
  }

  /** All kinds of entities that any module has. */
  public static Set<String> sharded(Config config) {
    return config.getObject(KINDS).keySet();
  }

  private static void require(Config config, String section, String name) {
    if (!config.getObject(section).containsKey(name)) {
      throw new IllegalStateException(
          "Add '%s = on' to %s in the reference.conf of its module: in a node of several JVMs the others could not reach it."
              .formatted(name, section));
    }
  }

  /** The configuration with them, whatever it had. */
  static Config within(Config config) {
    var paths = new ArrayList<>(OF_THE_CLUSTER);
    for (var kind : sharded(config)) {
      // A JVM's region looks for the coordinator of its kind, which the oldest JVM has.
      paths.add(SHARDING + kind + "Coordinator");
      paths.add(SHARDING + kind + "Coordinator/singleton/coordinator");
    }
    for (var name : config.getObject(SINGLETONS).keySet()) {
      paths.add("/system/singletonManager" + name);
      paths.add("/system/singletonManager" + name + "/" + name);
    }
    return config.withValue(KEY, ConfigValueFactory.fromIterable(paths));
  }
}
