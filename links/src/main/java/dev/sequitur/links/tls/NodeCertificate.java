package dev.sequitur.links.tls;

import dev.sequitur.protocol.id.NodeName;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;
import org.bouncycastle.asn1.x509.GeneralName;

/** Reads from a certificate for which nodes it speaks. */
public final class NodeCertificate {
  private NodeCertificate() {}

  /** The DNS names of the subject's alternative names; only without any, the common name. */
  public static Set<String> names(X509Certificate certificate) {
    var names = new TreeSet<String>();
    for (var alternative : alternativeNames(certificate)) {
      if (alternative.get(0).equals(GeneralName.dNSName)) {
        names.add((String) alternative.get(1));
      }
    }
    if (names.isEmpty()) {
      var subject = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
      for (var name : subject.getRDNs(BCStyle.CN)) {
        names.add(IETFUtils.valueToString(name.getFirst().getValue()));
      }
    }
    return names;
  }

  public static boolean speaksFor(X509Certificate certificate, NodeName node) {
    return names(certificate).contains(node.value());
  }

  private static Collection<List<?>> alternativeNames(X509Certificate certificate) {
    try {
      var names = certificate.getSubjectAlternativeNames();
      return names == null ? List.of() : names;
    } catch (CertificateParsingException e) {
      // Without names it speaks for nobody.
      return List.of();
    }
  }
}
