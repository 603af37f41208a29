package dev.sequitur.sequencer.runtime;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import java.util.ArrayList;
import java.util.List;

/** Actor systems in this process that can be one cluster, as the JVMs of a node are. */
final class JvmsOfOneNode {
  private final List<ActorTestKit> started = new ArrayList<>();

  /**
   * Starts one more, which has joined nobody yet.
   *
   * @param more of its configuration
   */
  ActorTestKit start(String more) {
    var config =
        ConfigFactory.parseString(more)
            .withFallback(
                ConfigFactory.parseString(
                    """
                    akka {
                      loglevel = WARNING
                      actor { provider = cluster, allow-java-serialization = off }
                      remote.artery { transport = tcp, canonical { hostname = "127.0.0.1", port = 0 } }
                      coordinated-shutdown.run-by-jvm-shutdown-hook = off
                      cluster {
                        jmx.multi-mbeans-in-same-jvm = on
                        gossip-interval = 200ms
                        leader-actions-interval = 200ms
                      }
                    }
                    """))
            .withFallback(ConfigFactory.load());
    var kit = ActorTestKit.create("node1", config);
    started.add(kit);
    return kit;
  }

  ActorTestKit first() {
    return started.getFirst();
  }

  /** The latest first. */
  void stop() {
    started.reversed().forEach(ActorTestKit::shutdownTestKit);
  }
}
