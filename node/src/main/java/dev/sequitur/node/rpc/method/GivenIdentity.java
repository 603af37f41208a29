package dev.sequitur.node.rpc.method;

import dev.sequitur.json.Format;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;

/** An identity as a caller writes it: without a node it is one of the node that is asked. */
public record GivenIdentity(String text) {
  public static final Format<GivenIdentity> FORMAT =
      Format.of("an identity, name@node", "alice@node1", GivenIdentity::parse);

  private static final NodeName ANY = new NodeName("any");

  private static GivenIdentity parse(String text) {
    var given = new GivenIdentity(text);
    given.at(ANY);
    return given;
  }

  /**
   * @param own the node that is asked
   */
  public Identity at(NodeName own) {
    return text.indexOf('@') < 0 ? new Identity(text, own) : Identity.parse(text);
  }

  @Override
  public String toString() {
    return text;
  }
}
