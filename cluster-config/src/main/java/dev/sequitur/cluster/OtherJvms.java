package dev.sequitur.cluster;

import akka.actor.Address;
import akka.actor.AddressFromURIString;
import com.typesafe.config.Config;
import java.util.ArrayList;
import java.util.List;

/** The JVMs that a configuration names as members of the cluster, besides the one it is for. */
final class OtherJvms {
  private static final String BOOTSTRAP = "akka.management.cluster.bootstrap";
  private static final String CONTACT_POINTS = BOOTSTRAP + ".contact-point-discovery";
  private static final String BOOTSTRAP_EXTENSION =
      "akka.management.cluster.bootstrap.ClusterBootstrap";

  private final Config config;

  private OtherJvms(Config config) {
    this.config = config;
  }

  /** As the configuration spells them; a way to find any is listed as if it were one. */
  static List<String> named(Config config) {
    OtherJvms others = new OtherJvms(config);
    List<String> named = new ArrayList<>();
    others.addSeedNodes(named);
    others.addContactPoints(named);
    return named;
  }

  private void addSeedNodes(List<String> named) {
    for (var key : List.of("akka.cluster.seed-nodes", "sequitur.seed-nodes")) {
      if (config.hasPath(key)) {
        config.getStringList(key).stream()
            .filter(seed -> !isSelf(AddressFromURIString.parse(seed)))
            .forEach(seed -> named.add("seed node " + seed));
      }
    }
  }

  /** With port 0 nobody can name this JVM beforehand, so whatever is named is another one. */
  private boolean isSelf(Address seed) {
    String host = text("akka.remote.artery.canonical.hostname");
    int port = number("akka.remote.artery.canonical.port");
    return seed.getHost().filter(host::equals).isPresent()
        && seed.getPort().filter(named -> port != 0 && named == port).isPresent();
  }

  private void addContactPoints(List<String> named) {
    if (!config.hasPath(CONTACT_POINTS)) {
      return;
    }
    String method = text(CONTACT_POINTS + ".discovery-method");
    if (method.isEmpty() || method.equals("akka.discovery")) {
      method = text("akka.discovery.method");
    }
    if (method.equals("config")) {
      addEndpoints(named);
    } else if (bootstrapStarts()) {
      named.add("whatever the discovery method " + method + " finds");
    }
  }

  private boolean bootstrapStarts() {
    return config.hasPath("akka.extensions")
        && config.getStringList("akka.extensions").contains(BOOTSTRAP_EXTENSION);
  }

  private void addEndpoints(List<String> named) {
    String service = text(CONTACT_POINTS + ".service-name");
    String name = service.isEmpty() ? text("sequitur.node-name") : service;
    String path = "akka.discovery.config.services.\"" + name + "\".endpoints";
    if (config.hasPath(path)) {
      for (Config endpoint : config.getConfigList(path)) {
        if (!isSelf(endpoint)) {
          named.add("contact point " + endpoint.getString("host"));
        }
      }
    }
  }

  private boolean isSelf(Config endpoint) {
    String host = endpoint.getString("host");
    boolean sameHost =
        host.equals(text("akka.management.http.hostname"))
            || host.equals(text("akka.remote.artery.canonical.hostname"));
    return sameHost
        && (!endpoint.hasPath("port")
            || endpoint.getInt("port") == number("akka.management.http.port"));
  }

  private String text(String path) {
    return config.hasPath(path) ? config.getString(path) : "";
  }

  private int number(String path) {
    return config.hasPath(path) ? config.getInt(path) : 0;
  }
}
