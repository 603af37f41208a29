package dev.sequitur.ethereum;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a chain's node is asked. Its path and query are often its caller's key, and so are user and
 * password before its host: none of them is told to anybody but the node. Pure.
 *
 * @param at what is asked, without user and password
 * @param authorization what is sent as this header; empty if there is no user
 * @param shown what people are told of it
 * @param secrets what is hidden wherever the node's own words have it
 */
record NodeAddress(URI at, Optional<String> authorization, URI shown, List<String> secrets) {
  private static final String HIDDEN = "(hidden)";

  /** A shorter one stands in a node's words by chance, as a version such as {@code v3} does. */
  private static final int SHORTEST_SECRET = 6;

  NodeAddress {
    secrets = List.copyOf(secrets);
  }

  static NodeAddress of(URI named) {
    var user = Optional.ofNullable(named.getUserInfo());
    var host = named.getRawSchemeSpecificPart().substring("//".length());
    var rest = named.getRawUserInfo() == null ? host : host.substring(host.indexOf('@') + 1);
    var at = named.getScheme() + "://" + rest;
    int path = authorityEnd(rest);
    boolean isBare = path >= rest.length() - 1;
    var shown = isBare ? at : named.getScheme() + "://" + rest.substring(0, path) + "/…";
    return new NodeAddress(
        URI.create(at), user.map(NodeAddress::basic), URI.create(shown), secrets(named));
  }

  private static int authorityEnd(String rest) {
    int end = 0;
    while (end < rest.length() && "/?".indexOf(rest.charAt(end)) < 0) {
      end++;
    }
    return end;
  }

  private static String basic(String user) {
    return "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> secrets(URI named) {
    var secrets = new ArrayList<String>();
    Stream.of(named.getRawPath(), named.getRawQuery(), named.getUserInfo())
        .filter(part -> part != null)
        .flatMap(part -> Stream.of(part.split("[/:&=]", -1)))
        .filter(part -> part.length() >= SHORTEST_SECRET)
        .forEach(secrets::add);
    return secrets;
  }

  /** What else it is shown with a request. */
  NodeAddress withSecrets(List<String> more) {
    return more.isEmpty()
        ? this
        : new NodeAddress(
            at, authorization, shown, Stream.concat(secrets.stream(), more.stream()).toList());
  }

  /** A node's words, or those of what fails on the way to it. */
  String hide(String words) {
    var hidden = words;
    for (var secret : secrets) {
      hidden = hidden.replace(secret, HIDDEN);
    }
    return hidden;
  }
}
