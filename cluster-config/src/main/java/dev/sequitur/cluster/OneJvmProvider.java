package dev.sequitur.cluster;

import akka.actor.ActorSystem;
import akka.actor.ActorSystemImpl;
import akka.actor.DynamicAccess;
import akka.cluster.ClusterActorRefProvider;
import akka.event.EventStream;
import akka.remote.RemoteTransport;
import akka.remote.artery.tcp.ArteryTcpTransport;
import akka.stream.scaladsl.Tcp.ServerBinding;
import java.net.InetSocketAddress;
import scala.Option;
import scala.Some;
import scala.concurrent.Future;
import scala.runtime.BoxedUnit;

/**
 * The cluster of a node that is one JVM, which nobody can reach: its remoting listens nowhere. Akka
 * has no cluster without remoting, and its remoting always binds a port, on which whoever connects
 * is trusted. So this tells the transport, before it starts, that it is bound already.
 *
 * <p>That is a private variable of Akka's ({@code NOTICE} says why the version is pinned). Where it
 * is missing or means something else, the node does not start, or {@code SingleJvmNodeTest} finds a
 * port.
 */
public final class OneJvmProvider extends ClusterActorRefProvider {
  /** In the addresses of a node's actors, which logs show. */
  static final String HOST = "not-listening";

  private boolean bound;

  /** For Akka, which makes one for each actor system. */
  public OneJvmProvider(
      String systemName,
      ActorSystem.Settings settings,
      EventStream eventStream,
      DynamicAccess dynamicAccess) {
    super(systemName, settings, eventStream, dynamicAccess);
  }

  @Override
  public void init(ActorSystemImpl system) {
    super.init(system);
    if (!bound) {
      throw new IllegalStateException("Akka has started its remoting on a port: this is a defect.");
    }
  }

  /** The last that is called before the transport starts, once it is there. */
  @Override
  public void warnIfUseUnsafeWithoutCluster() {
    bindToNothing(transport());
    bound = true;
  }

  private static void bindToNothing(RemoteTransport transport) {
    Future<BoxedUnit> unbound = Future.successful(BoxedUnit.UNIT);
    var nothing =
        new ServerBinding(
            InetSocketAddress.createUnresolved(HOST, 0),
            () -> unbound,
            Future.successful(akka.Done.getInstance()));
    try {
      var binding = ArteryTcpTransport.class.getDeclaredField("serverBinding");
      binding.setAccessible(true);
      if (!Option.empty().equals(binding.get(transport))) {
        throw new IllegalStateException("Akka's remoting is bound already: this is a defect.");
      }
      binding.set(transport, Some.apply(nothing));
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw new IllegalStateException(
          "A node of one JVM must not listen for Akka remoting, and this version of Akka can't be"
              + " kept from it: use the version that the root pom.xml names.",
          e);
    }
  }
}
