"""TLS and Kerberos: what Accumulo's own client makes of the properties that are handed on."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexigraph.store.accumulo.bridge.connecting import java_properties
from lexigraph.store.accumulo.bridge.jvm import java_bridge
from lexigraph.store.accumulo.properties import read_properties

pytestmark = pytest.mark.accumulo
NEEDED = {
    "accumulo.instance": "main",
    "accumulo.zookeepers": "zk1:2181",
    "accumulo.user": "ann@EXAMPLE.ORG",
    "accumulo.password": "of-a-test",
}


def test_the_client_is_given_tls_settings(tmp_path: Path) -> None:
    java_bridge()
    import jpype

    store = tmp_path / "trust.jks"
    store.write_bytes(b"")
    given = {
        "ssl.enabled": "true",
        "ssl.truststore.path": str(store),
        "ssl.truststore.password": "of-the-store",
        "ssl.truststore.type": "pkcs12",
    }
    properties = java_properties(read_properties({**NEEDED, **given}))
    inside = "org.apache.accumulo.core.clientImpl.ClientConfConverter"
    seen = jpype.JClass(inside).toAccumuloConf(properties)
    tls = jpype.JClass("org.apache.accumulo.core.rpc.SslConnectionParams").forClient(seen)
    assert (str(tls.getTrustStorePath()), str(tls.getTrustStoreType())) == (str(store), "pkcs12")
    assert str(tls.getTrustStorePass()) == "of-the-store"
    usual = jpype.JClass(inside).toAccumuloConf(java_properties(read_properties(NEEDED)))
    assert jpype.JClass("org.apache.accumulo.core.rpc.SslConnectionParams").forClient(usual) is None


def test_the_client_is_given_kerberos_settings() -> None:
    java_bridge()
    import jpype

    given = {
        "auth.type": "kerberos",
        "auth.token": "/etc/security/ann.keytab",
        "sasl.enabled": "true",
        "sasl.qop": "auth-conf",
        "sasl.kerberos.server.primary": "accumulo",
    }
    kept = {name: value for name, value in NEEDED.items() if name != "accumulo.password"}
    properties = java_properties(read_properties({**kept, **given}))
    seen = jpype.JClass("org.apache.accumulo.core.clientImpl.ClientInfoImpl")(properties)
    assert (bool(seen.saslEnabled()), str(seen.getPrincipal())) == (True, "ann@EXAMPLE.ORG")
    for name, value in given.items():
        assert str(seen.getProperties().getProperty(name)) == value
    usual = java_properties(read_properties(NEEDED))
    plain = jpype.JClass("org.apache.accumulo.core.clientImpl.ClientInfoImpl")(usual)
    token = str(plain.getAuthenticationToken().getClass().getSimpleName())
    assert (bool(plain.saslEnabled()), token) == (False, "PasswordToken")
